import Fief
import FiefTorture
import Foundation

/// A process that limits itself, uses stores, lifts the limit, and looks at the stores.
///
/// It prints `doing …` before each part, `wrong …` for what must not be, `count N NAME` for what it did, and `end`.
struct LimitProcess {
  let stores: LimitedStores
  /// How much is done: 1 for a few seconds, 10 for the command.
  let scale: Int

  static func run(_ arguments: Arguments) throws {
    guard let directory = arguments.rest.first,
      let limit = arguments.text("limit").flatMap(LimitCase.init)
    else { throw BrokenTest("usage: limit DIRECTORY --limit NAME …") }
    // An ignored signal of the parent, such as that of a shell, would hide what is looked for.
    signal(SIGXFSZ, SIG_DFL)
    // Threads of Dispatch, such as this one, have it blocked.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGXFSZ)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    let defect = arguments.text("defect")
    let process = LimitProcess(
      stores: LimitedStores(
        directory,
        maximumReaders: limit == .readers ? maximumReaders : 510,
        swallowsErrors: defect == "swallowed"
      ),
      scale: max(1, arguments.number("scale") ?? 1)
    )
    try process.run(limit, hasDeadlock: defect == "deadlock")
    process.stores.report()
    say("end")
  }

  private func run(_ limit: LimitCase, hasDeadlock: Bool) throws {
    switch limit {
    case .stores: try openManyStores()
    case .descriptors: try limitDescriptors()
    case .addressSpace: try limitAddressSpace()
    case .memory: try limitMemory()
    case .fileSize: try limitFileSize(ignoresSignal: true)
    case .fileSizeSignal: try limitFileSize(ignoresSignal: false)
    case .readers: try takeReaders()
    case .pool: try blockPool(hasDeadlock: hasDeadlock)
    case .observers: try observeMuch()
    case .waitingWrites: try writeMuch()
    case .threads: try limitThreads()
    }
  }
}
