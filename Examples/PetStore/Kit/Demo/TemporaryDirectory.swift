import Foundation

/// A directory that is removed at the end, also when the process gets a signal to stop.
final class TemporaryDirectory {
  private let url: URL
  private let sources: [any DispatchSourceSignal]

  /// Watches for the signals that end a program from outside; the directory itself may come later.
  init(_ url: URL) {
    self.url = url
    sources = [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        try? FileManager.default.removeItem(at: url)
        exit(128 + number)
      }
      source.resume()
      return source
    }
  }

  /// Removes the directory with all that is in it.
  func remove() {
    for source in sources { source.cancel() }
    try? FileManager.default.removeItem(at: url)
  }
}
