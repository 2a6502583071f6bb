raise 'while it is read'
Puppet::Functions.create_function(:'kit::raises_at_load') do
end
