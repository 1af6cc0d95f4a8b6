"""Which kernels' memory accesses the page shows, and in which words."""


def shown(profiles):
    """For each lab the student's kernel, or the solution if there is nothing of the student's yet."""
    chosen = {}
    for profile in sorted(profiles, key=lambda p: (p.lab, p.variant != "starter")):
        if profile.variant in ("starter", "solution"):
            chosen.setdefault(profile.lab, profile)
    return list(chosen.values())


def own(profiles):
    """The student's kernels."""
    return [profile for profile in shown(profiles) if profile.variant == "starter"]


def names(profile):
    """What stands above the two halves of a drawing: the kernel before, and this one."""
    return (f"Before: {_before(profile)}" if profile.before else "", _after(profile))


def step_before(profile):
    """The short name of the kernel before: of its lab, or of its launcher where both are in one file."""
    earlier = profile.before
    if not earlier:
        return ""
    if earlier.variant == "naive":
        return "naive"
    return earlier.compared if earlier.lab == profile.lab else earlier.lab


def _before(profile):
    earlier = profile.before
    if earlier.lab == profile.lab and earlier.variant != "naive":
        return f"{earlier.compared} of the {earlier.variant}"
    if earlier.variant == "naive":
        return "the naive version"
    return f"the {earlier.variant} of {earlier.lab}"


def _after(profile):
    whose = "your kernel" if profile.variant == "starter" else f"the {profile.variant}"
    return f"After: {whose}" if profile.before else whose.capitalize()
