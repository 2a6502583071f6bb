# frozen_string_literal: true

# The released Puppet, with its settings and caches in a folder (HOME) that goes when the process ends.

require 'fileutils'
require 'json'
require 'tmpdir'
require 'puppet'

HOME = Dir.mktmpdir('released')
at_exit { FileUtils.rm_rf(HOME) }
Puppet.initialize_settings(['--confdir', "#{HOME}/conf", '--vardir', "#{HOME}/var"])
