def difference(a, b): return None
