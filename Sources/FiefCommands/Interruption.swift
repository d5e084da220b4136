import Dispatch
import Fief
import FiefMaintenance
import Foundation

/// Handles interrupts of the runner by removing incomplete copies.
///
/// Stores need no cleanup, because uncommitted changes have no effect.
enum Interruption {
  private static let sources = Lock<[any DispatchSourceSignal]>([])

  static func install() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number, SIG_IGN)
      sources.withLock { sources in
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { stop(number) }
        source.resume()
        sources.append(source)
      }
    }
  }

  private static func stop(_ number: Int32) {
    MaintenanceDirectory.removeOwn()
    let text = "\nStopped. Stores that were not reported as done are unchanged.\n"
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    // `exit` is not used, because it would destroy objects that the thread working on a store still uses.
    _exit(128 + number)
  }
}
