"""What each kind of value can do: how it is made of others, its arithmetic, its order, its formats."""
