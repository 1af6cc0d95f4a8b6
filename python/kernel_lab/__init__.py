"""Kernel Lab in a notebook: %load_ext kernel_lab defines %%lab, %%cuda and %lab."""


def load_ipython_extension(shell):
    from kernel_lab.magics import LabMagics

    shell.register_magics(LabMagics(shell))


def unload_ipython_extension(shell):
    """The magics stay: IPython cannot remove one."""
