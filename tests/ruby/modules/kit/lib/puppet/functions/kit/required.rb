require 'kit_x/tool'
require 'digest'
Puppet::Functions.create_function(:'kit::required') do
  def required(text)
    KitX::Tool.shout(Digest::MD5.hexdigest(text))
  end
end
