Puppet::Functions.create_function(:kit_both) do
  def kit_both
    'the newer one'
  end
end
