import Fief
import FiefTorture
import Foundation

/// Another process that uses the stores of a process that is limited.
enum LimitNeighbour {
  static func run(_ arguments: Arguments) throws {
    guard let directory = arguments.rest.first else { throw BrokenTest("usage: neighbour DIRECTORY …") }
    let readers = arguments.number("readers") ?? 510
    let stores = LimitedStores(directory, maximumReaders: readers)
    switch arguments.text("as") {
    case "writer":
      for number in 0..<(arguments.number("count") ?? 0) {
        let repository = stores.repository("store-\(number)")
        try repository.saveAndWait(entity: LimitedStores.item(arguments.number("id") ?? 0))
        repository.close()
      }
    default: try hold(stores, readers)
    }
  }

  /// Takes all readers, says so, and keeps them until a file says that it may end.
  private static func hold(_ stores: LimitedStores, _ readers: Int) throws {
    let repository = stores.repository()
    try repository.open()
    let (tried, held) = (CountedCalls(), CountedCalls())
    for _ in 0..<readers {
      Thread.detachNewThread {
        try? repository.read { snapshot in
          _ = try snapshot.objects(TortureItem.self).fetchCount()
          held.add()
          tried.add()
          while true { usleep(100_000) }
        }
        tried.add()
      }
    }
    _ = tried.wait(for: readers)
    say("holding \(held.value)")
    while !FileManager.default.fileExists(atPath: "\(stores.directory)/neighbour.end") { usleep(10_000) }
    exit(0)
  }
}
