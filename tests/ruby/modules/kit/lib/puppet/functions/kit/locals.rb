# types of its own
Puppet::Functions.create_function(:'kit::locals') do
  local_types do
    type 'Port = Integer[1, 65535]'
    type 'Ports = Array[Port]'
  end

  dispatch :ports do
    param 'Ports', :ports
  end

  dispatch :named do
    param 'Kit::Name', :name
  end

  def ports(ports)
    ports.sum
  end

  def named(name)
    "named #{name}"
  end
end
