"""The page of a student: what I wrote, what it does to memory, what I gained, what is next."""

from data import counts, source_traffic, traced_kernels
from figures import drawings
from pages import modelled_times, shared


def render(results, titles, drawn, author=""):
    """The page's text; `titles` are those of all labs, `drawn` the report's drawings."""
    checks = {check.lab: check for check in _own_checks(results)}
    profiles = {profile.lab: profile for profile in traced_kernels.own(results.profiles)}
    timed = {row.lab for row in results.bench if _own_time(row, row.lab)}
    untouched = {lab for lab, check in checks.items() if check.verdict == "not_begun"}
    timed |= {row.lab for row in results.modelled if row.variant == "starter"}
    begun = sorted({*checks, *profiles, *timed} - untouched)
    labs = {lab: titles.get(lab) or lab for lab in sorted({*titles, *results.labs(), *profiles})}
    sections = [_section(lab, labs[lab], checks.get(lab), profiles.get(lab), results, drawn) for lab in begun]
    return shared.render(
        "mine.html.j2",
        author=author,
        titles=labs,
        passed=sum(check.verdict == "pass" for check in checks.values()),
        overview=[(lab, *_state(checks.get(lab))) for lab in labs],
        shown={section["lab"]: section["id"] for section in sections},
        sections=sections,
        others=[(labs[lab], modelled_times.of_lab(lab, results, drawn)) for lab in labs if lab not in begun],
        rooflines=modelled_times.rooflines(results, drawn),
        next=_next(labs, checks),
        problems=results.problems,
    )


def _own_checks(results):
    """A GPU's verdict after the simulator's, so that it remains where there are both."""
    own = [check for check in results.checks if check.variant == "starter" and not check.source.recorded]
    return sorted(own, key=lambda check: check.source.backend == "cuda")


def _state(check):
    if not check or check.verdict == "not_begun":
        return "none", "not begun"
    return shared.cell(check)["kind"], check.verdict.replace("_", " ")


def _next(labs, checks):
    """The first lab that has not passed and can run here."""
    for lab, title in labs.items():
        verdict = checks[lab].verdict if lab in checks else "not_begun"
        if verdict not in ("pass", "skipped"):
            return {"lab": lab, "title": title, "begun": verdict != "not_begun"}
    return None


def _section(lab, title, check, profile, results, drawn):
    return {
        "lab": lab,
        "id": "lab-" + drawings.identifier(lab),
        "title": title,
        "cell": shared.cell(check) if check else None,
        "changed_since": bool(check and check.changed),
        "failed": shared.failure(check),
        "times": [row for row in results.bench if _own_time(row, lab)],
        "modelled": modelled_times.of_lab(lab, results, drawn),
        "machine_code": [one for one in results.machine_code if (one.lab, one.variant) == (lab, "starter")],
        **(_memory(lab, profile, drawn) if profile else {}),
    }


def _own_time(row, lab):
    own = row.lab == lab and row.variant == "starter" and not row.source.recorded
    return own and row.source.backend == "cuda" and row.kernel


def _memory(lab, profile, drawn):
    earlier = profile.before
    before = earlier.counts if earlier else {}
    name = traced_kernels.step_before(profile)
    names = traced_kernels.names(profile)
    halves = [(names[0] if one.half == "before" else names[1], one) for one in drawings.of(drawn, "access", lab)]
    return {
        "message": profile.message,
        "changed": profile.changed,
        "call": " at ".join(profile.calls[0]) if profile.calls else "",
        "charts": counts.charts(profile.counts, before, name),
        "same": counts.same(profile.counts, before) if before else [],
        "drawings": [(name, shared.svg(one, f"{name}: one warp's accesses, lane by lane.")) for name, one in halves],
        "lines": source_traffic.heated(profile) if profile.source else [],
    }
