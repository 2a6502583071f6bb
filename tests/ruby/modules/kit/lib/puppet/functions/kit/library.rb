# code beside it
require File.expand_path('../../../kit_x/tool', __dir__)
Puppet::Functions.create_function(:'kit::library') do
  def library(text)
    KitX::Tool.shout(text)
  end
end
