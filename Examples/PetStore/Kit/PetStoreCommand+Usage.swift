import Fief
import FiefConsole
import Foundation

/// The command that shows what was read and written.
extension PetStoreCommand {
  static func stats(in directory: String, on console: Console) throws {
    guard FileManager.default.fileExists(atPath: directory) else { throw StatsError.noStores(directory) }
    let store = try PetStore.encrypted(in: directory)
    defer { store.manager.close() }
    try store.manager.openAll()
    guard let table = UsageTable.table(of: store.usage()) else {
      return console.line("The stores have no reads or writes.")
    }
    console.table(table, indent: 0)
  }
}

/// The reason why there is no usage to show.
enum StatsError: Error, Sendable, Equatable, CustomStringConvertible {
  /// There is no such directory; opening the stores would make it.
  case noStores(String)

  var description: String {
    switch self {
    case .noStores(let directory): "no stores in \(Format.printable(directory))"
    }
  }
}

extension Options.Command {
  /// The label under which the command's reads and writes are counted; nil for those that have none.
  var usageLabel: String? {
    switch self {
    case .demo: "demo"
    case .load: "import"
    case .closure: "closure"
    case .depends: "depends"
    case .removeMaintainer: "remove-maintainer"
    case .orders: "orders"
    case .chat: "chat"
    case .follow: "chat follow"
    case .watch: "watch"
    case .stats, .help: nil
    }
  }
}
