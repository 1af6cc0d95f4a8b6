"""The simulation of a class on a cluster, where its answer is known."""

import pytest

from class_figures import arrays_of, makespan


def test_tasks_take_turns_on_the_cores():
    assert makespan([[1.0] * 4], slots=2, start=0) == 2
    assert makespan([[3.0, 1.0, 1.0, 1.0]], slots=2, start=0) == 3
    assert makespan([[1.0, 1.0, 1.0, 3.0]], slots=2, start=0) == 4


def test_an_array_waits_for_the_one_before():
    assert makespan([[4.0, 1.0], [1.0, 1.0]], slots=2, start=0) == 5
    assert makespan([[4.0, 1.0, 1.0, 1.0]], slots=2, start=0) == 4


def test_every_task_pays_its_start():
    assert makespan([[1.0] * 10], slots=1, start=0.5) == 15


def test_more_cores_than_tasks_do_not_help():
    assert makespan([[2.0, 3.0]], slots=100, start=0) == 3


@pytest.mark.parametrize("count", [1, 999, 1000, 1001, 5100])
def test_arrays_hold_every_task_once_and_are_never_too_large(count):
    arrays = arrays_of(list(range(count)))
    assert sum(arrays, []) == list(range(count)) and max(map(len, arrays)) <= 1000
