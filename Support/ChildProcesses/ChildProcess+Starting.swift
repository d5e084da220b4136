import Foundation

#if os(Linux)
  import CChildProcesses
#endif

extension ChildProcess {
  /// The environment variables of a child.
  package enum Environment: Sendable {
    /// The variables of this process, and others in addition.
    case inherited(adding: [String: String] = [:])
    /// These variables alone.
    case only([String: String])

    var variables: [String: String] {
      switch self {
      case .inherited(let others): ProcessInfo.processInfo.environment.merging(others) { $1 }
      case .only(let variables): variables
      }
    }
  }

  /// Starts a program with the given descriptors as its standard streams; it inherits a stream whose descriptor is `nil`.
  static func start(
    _ program: String,
    _ arguments: [String],
    _ environment: [String: String],
    _ directory: String?,
    _ streams: [Descriptor?],
    joinsErrors: Bool
  ) throws(ChildProcessError) -> pid_t {
    let texts = ([program] + arguments, environment.map { "\($0)=\($1)" })
    guard (texts.0 + texts.1).allSatisfy({ !$0.utf8.contains(0) }) else {
      throw ChildProcessError(.notStarted, program, EINVAL)
    }
    guard let path = path(of: program, environment) else {
      throw ChildProcessError(.notStarted, program, ENOENT)
    }
    // SAFETY: the strings are freed once, after the start has copied them to the child.
    let words = texts.0.map { strdup($0) } + [nil]
    let variables = texts.1.map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
      let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_CLOEXEC_DEFAULT
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
      let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    for signal in [SIGKILL, SIGSTOP] { sigdelset(&all, signal) }
    var codes = [
      posix_spawnattr_setflags(&attributes, Int16(flags)), posix_spawnattr_setsigmask(&attributes, &none),
      posix_spawnattr_setsigdefault(&attributes, &all),
    ]
    for (number, stream) in zip(Int32(0)..., streams) {
      if let stream {
        codes.append(posix_spawn_file_actions_adddup2(&actions, stream.number, number))
      } else if joinsErrors, number == 2 {
        codes.append(posix_spawn_file_actions_adddup2(&actions, 1, 2))
      } else {
        #if canImport(Darwin)
          codes.append(posix_spawn_file_actions_addinherit_np(&actions, number))
        #endif
      }
    }
    if let directory { codes.append(posix_spawn_file_actions_addchdir_np(&actions, directory)) }
    #if os(Linux)
      codes.append(posix_spawn_file_actions_addclosefrom_np(&actions, 3))
    #endif
    if let code = codes.first(where: { $0 != 0 }) { throw ChildProcessError(.notStarted, program, code) }
    var id: pid_t = 0
    let code = withExtendedLifetime(streams) {
      posix_spawn(&id, path, &actions, &attributes, words, variables)
    }
    guard code == 0 else { throw ChildProcessError(.notStarted, program, code) }
    return id
  }

  /// The path of a program: itself if it has a slash, otherwise the first in the directories of `PATH`.
  private static func path(of program: String, _ environment: [String: String]) -> String? {
    if program.contains("/") { return program }
    return (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map { "\($0)/\(program)" }
      .first { access($0, X_OK) == 0 }
  }
}
