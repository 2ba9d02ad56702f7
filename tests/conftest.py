"""Settings of the whole test suite."""

from hypothesis import settings

# The first call of a kernel compiles it, so a deadline would fail by chance. Examples are the same each time.
settings.register_profile("fixed", deadline=None, derandomize=True)
settings.load_profile("fixed")
