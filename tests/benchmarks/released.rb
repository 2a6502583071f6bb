# frozen_string_literal: true

# CPU seconds of the released Puppet for the work named by the first argument; prints one JSON object.
#
#   ruby released.rb parse LIST        lex, parse, and parse with validation all files that LIST names
#   ruby released.rb evaluate DIR      each workload: numbers below 10 evaluate a parsed program, others compile
#   ruby released.rb catalogs DIR MODULEPATH FACTS     compile each, in an environment that keeps what it has read
#   ruby released.rb programs FILE MODULEPATH          compile the program of each line of JSON in the same way
#   ruby released.rb once FILE MODULEPATH FACTS        compile it, for somebody who measures this process

require_relative '../released/home'
require 'puppet/pops'
require 'puppet_pal'

ROUNDS = 3
Puppet::Util::Log.level = :err

def cpu_seconds
  GC.start
  start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
  yield
  Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start
end

def best(&work)
  Array.new(ROUNDS) { cpu_seconds(&work) }.min
end

def parse(list)
  files = File.readlines(list, chomp: true).map { |name| [name, File.read(name, encoding: 'utf-8')] }
  lexer = Puppet::Pops::Parser::Lexer2.new
  parser = Puppet::Pops::Parser::Parser.new
  validating = Puppet::Pops::Parser::EvaluatingParser.new
  {
    lex: best { files.each { |name, text| lexer.lex_string(text, name); lexer.scan { |_| } } },
    parse: best { files.each { |name, text| parser.parse_string(text, name) } },
    validate: best { files.each { |name, text| validating.parse_string(text, name) } }
  }
end

def in_environment(&block)
  Puppet::Pal.in_tmp_environment('benchmark', modulepath: [], facts: {}, &block)
end

def evaluate_program(text, file)
  in_environment do |pal|
    pal.with_catalog_compiler do |compiler|
      program = compiler.parse_string(text, file)
      compiler.evaluate(program)
      evaluator = compiler.send(:internal_evaluator)
      scope = compiler.send(:topscope)
      best { evaluator.evaluate(scope, program.body) }
    end
  end
end

def compile_catalog(text)
  Array.new(ROUNDS) do
    in_environment { |pal| cpu_seconds { pal.with_catalog_compiler(code_string: text, &:compile_additions) } }
  end.min
end

def evaluate(folder)
  Dir["#{File.expand_path(folder)}/*.pp"].sort.to_h do |file|
    name = File.basename(file, '.pp')
    text = File.read(file)
    [name, name.to_i < 10 ? evaluate_program(text, file) : compile_catalog(text)]
  end
end

def catalogs(folder, modulepath, facts)
  facts = File.read(facts)
  Dir["#{File.expand_path(folder)}/*.pp"].sort.to_h do |file|
    Puppet[:code] = File.read(file)
    environment = Puppet::Node::Environment.create(:benchmark, modulepath.split(':'))
    Puppet.override(environments: Puppet::Environments::Static.new(environment)) do
      [File.basename(file, '.pp'), best { compile_for(environment, facts) }]
    end
  end
end

def programs(file, modulepath)
  File.readlines(file).each_with_index.to_h do |line, number|
    program = JSON.parse(line)
    Puppet[:code] = program['source']
    environment = Puppet::Node::Environment.create(:benchmark, modulepath.split(':'))
    Puppet.override(environments: Puppet::Environments::Static.new(environment)) do
      facts = JSON.generate(program['facts'])
      [number, best { compile_or_fail(environment, facts, program['node']) }]
    end
  end
end

def compile_or_fail(environment, facts, name)
  compile_for(environment, facts, name)
rescue StandardError, ScriptError
  nil
end

def once(file, modulepath, facts)
  Puppet[:code] = File.read(file)
  environment = Puppet::Node::Environment.create(:benchmark, modulepath.split(':'))
  environment.each_plugin_directory { |folder| $LOAD_PATH << folder }
  Puppet.override(environments: Puppet::Environments::Static.new(environment)) do
    compile_for(environment, File.read(facts))
  end
  {}
end

def compile_for(environment, facts, name = 'localhost')
  node = Puppet::Node.new(name, environment: environment)
  node.fact_merge(Puppet::Node::Facts.new(name, JSON.parse(facts)))
  node.trusted_data = { 'authenticated' => 'local', 'certname' => name, 'extensions' => {} }
  compiler = Puppet::Parser::Compiler.new(node)
  scopes = { current_environment: environment, global_scope: compiler.topscope, loaders: compiler.loaders }
  Puppet.override(scopes) { compiler.compile }
end

puts JSON.generate(send(*ARGV))
