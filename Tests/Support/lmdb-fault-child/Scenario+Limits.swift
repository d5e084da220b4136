import LMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Limits of the process that it sets itself.
extension Scenario {
  /// Writes, copies and compacts where files may not become larger, and the signal that says so would end the process.
  func limitedFiles() throws {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGXFSZ)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    signal(SIGXFSZ, SIG_DFL)
    let (made, same) = try open()
    try putMuch(made, same, "a")
    made.close()
    var info = stat()
    guard stat(directory + "/data.mdb", &info) == 0 else { exit(70) }
    // No multiple of a page: the first write that leads beyond it ends early, and the next ones begin there.
    limitFiles(Int(info.st_size) + 20_000)
    let (environment, items) = try open()
    say("growing \(code { try putMuch(environment, items, "b") })")
    say("again \(code { try putMuch(environment, items, "b") })")
    say("deletion \(code { try delete(environment, items, "a0") })")
    limitFiles(50_000)
    say("copy \(code { try environment.copy(to: directory + "-copy") })")
    say("compaction \(code { _ = try environment.compact() })")
    limitFiles(nil)
    say("lifted \(code { try putMuch(environment, items, "c") })")
    say("keys \(try keys(environment, items).filter { $0.hasSuffix("1") }.joined(separator: ","))")
    // What was pending would end the process here.
    say("pending \(sigpending(&signals) == 0 && sigismember(&signals, SIGXFSZ) == 1)")
    environment.close()
  }

  private func putMuch(_ environment: Environment, _ items: Database, _ name: String) throws {
    let value = [UInt8](repeating: 7, count: 20_000)
    try environment.write { transaction in
      for index in 0..<5 {
        try withBytes("\(name)\(index)") { key in
          try value.withUnsafeBytes { try transaction.put(items, key, $0) }
        }
      }
    }
  }

  private func delete(_ environment: Environment, _ items: Database, _ key: String) throws {
    try environment.write { transaction in _ = try withBytes(key) { try transaction.delete(items, $0) } }
  }

  private func limitFiles(_ size: Int?) {
    #if os(Linux)
      let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
      let resource = RLIMIT_FSIZE
    #endif
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { exit(70) }
    limit.rlim_cur = size.map { rlim_t($0) } ?? limit.rlim_max
    guard setrlimit(resource, &limit) == 0 else { exit(70) }
  }

  /// Compacts while the process has no descriptor left.
  func noDescriptors() throws {
    let (environment, items) = try open()
    try put(environment, items, "a")
    var taken: [Int32] = []
    while true {
      let copy = dup(STDOUT_FILENO)
      guard copy >= 0 else { break }
      taken.append(copy)
    }
    say("compaction \(code { _ = try environment.compact() })")
    say("write \(code { try put(environment, items, "b") })")
    for copy in taken { close(copy) }
    say("compaction \(code { _ = try environment.compact() })")
    say("keys \(try keys(environment, items).joined(separator: ","))")
    environment.close()
  }
}
