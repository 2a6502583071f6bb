Puppet::Parser::Functions.newfunction(:kit_asks, type: :rvalue) do |args|
  [
    catalog.resources.map(&:ref).grep(/Notify/), resource.to_s, environment.to_s,
    find_hostclass('kit').nil?, find_hostclass('nope').nil?, find_definition('nope').nil?,
    compiler.environment.module('kit').nil?, compiler.node.name, Puppet::Util::Package.versioncmp('1.10', '1.9'),
    Puppet::Util.absolute_path?('/a', :posix), Puppet::Util.deterministic_rand(5, 100)
  ]
end
