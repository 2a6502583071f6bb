# types as values
Puppet::Functions.create_function(:'kit::typed') do
  dispatch :typed do
    param 'Type', :type
    param 'Any', :value
  end

  dispatch :read do
    param 'String', :type
    param 'Any', :value
  end

  def read(type, value)
    typed(Puppet::Pops::Types::TypeParser.singleton.parse(type), value)
  end

  def typed(type, value)
    fits = Puppet::Pops::Types::TypeCalculator.instance?(type, value)
    actual = Puppet::Pops::Types::TypeCalculator.infer_set(value)
    describer = Puppet::Pops::Types::TypeMismatchDescriber.singleton
    [fits, type.instance?(value), fits ? '' : describer.describe_mismatch('it', type, actual), type.to_s]
  end
end
