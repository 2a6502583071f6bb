from tests.fuzzing.inputs import Input
def known(case, mine, other): return False
