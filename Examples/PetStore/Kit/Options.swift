/// The options of the command line.
struct Options: Sendable, Equatable {
  /// The commands.
  enum Command: Sendable, Equatable {
    case demo
    case load
    case closure(package: String)
    case depends(package: String)
    case removeMaintainer(name: String)
    case orders(first: Int)
    case chat
    case follow(room: String)
    case watch(WatchedDomain)
    case stats
    case help
  }

  /// An error in a command line.
  struct UsageError: Error, Sendable, Equatable, CustomStringConvertible {
    var description: String
  }

  var command = Command.help
  /// The directory of the stores; nil is up to the command.
  var directory: String?
  /// The greatest number of packages to load.
  var packages: Int?
  /// A file to load packages from.
  var index: String?
  /// Whether the package index is read although it is fresh.
  var isRefreshing = false
  /// Whether recommended packages are followed.
  var isFollowingRecommended = false
  /// Whether what needs a package is asked for, instead of what it needs.
  var isReverse = false
  /// Whether dependencies are followed to the end.
  var isRecursive = false
  /// Whether nothing is changed.
  var isDryRun = false
  /// After how many updates following a domain ends.
  var updates: Int?

  static let usage = """
    petstore: the example application of Fief, six domains with their own stores

    petstore demo [--directory DIR] [--packages N]
        Shows everything on real data, in a temporary directory that is removed at the end
        or in DIR, which is kept.
    petstore import [--directory DIR] [--packages N] [--refresh] [--index FILE]
        Loads this machine's package index into the catalogue, unless it was loaded within a day;
        or loads FILE.
    petstore closure PACKAGE [--directory DIR] [--recommends]
        Lists the packages that PACKAGE needs, from the catalogue.
    petstore catalogue depends PACKAGE [--reverse] [--recursive] [--recommends]
                               [--directory DIR]
        Lists the direct or all dependencies of PACKAGE, or the packages that depend on it.
    petstore catalogue remove-maintainer NAME [--dry-run] [--directory DIR]
        Removes a maintainer, by name or address, with all packages, after counting them.
    petstore orders [--directory DIR] [--first N]
        Places orders until it is stopped, and prints the number and total of each order when it
        is stored. The demo kills this command to show that nothing is lost.
    petstore chat [--directory DIR]
        Posts messages until it is stopped, and prints the key of each message when it is stored.
    petstore chat follow ROOM [--directory DIR]
        Follows the last 20 messages of a room while another petstore posts, until a message says
        goodbye, and prints the received messages.
    petstore watch [DOMAIN] [--directory DIR] [--updates N]
        Prints changes in catalogue (or payments, pets, auth) while another petstore writes
        to it, until it is interrupted or has received N updates.
    petstore stats [--directory DIR]
        Shows the reads and writes of the stores, by class and by command.
    petstore --help

    --directory DIR   the directory of the stores (petstore-data)
    --packages N      load no more than N packages
    --index FILE      an uncompressed package index
    --refresh         load the package index in any case
    --recommends      follow recommended packages as well
    --reverse         the packages that depend on the package
    --recursive       follow all dependencies
    --updates N       end after N updates
    --dry-run         report the changes without making them
    NO_COLOR=1        no colors
    """

  /// Reads the arguments after the program's name.
  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    var words: [String] = []
    var first = 1
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h":
        command = .help
        return
      case "--directory": directory = try Self.value(of: argument, &rest)
      case "--packages": packages = try Self.number(of: argument, &rest)
      case "--first": first = try Self.number(of: argument, &rest)
      case "--updates": updates = try Self.number(of: argument, &rest)
      case "--index": index = try Self.value(of: argument, &rest)
      case "--refresh": isRefreshing = true
      case "--recommends": isFollowingRecommended = true
      case "--reverse": isReverse = true
      case "--recursive": isRecursive = true
      case "--dry-run": isDryRun = true
      default:
        guard !argument.hasPrefix("-") else {
          throw UsageError(description: "unknown option \(argument)")
        }
        words.append(argument)
      }
    }
    command = try Self.command(words, first: first)
  }

  private static func command(_ words: [String], first: Int) throws(UsageError) -> Command {
    switch (words.first, words.count) {
    case (nil, _), ("help", 1): return .help
    case ("demo", 1): return .demo
    case ("import", 1): return .load
    case ("closure", 2): return .closure(package: words[1])
    case ("closure", _): throw UsageError(description: "closure takes the name of one package")
    case ("catalogue", 3) where words[1] == "depends": return .depends(package: words[2])
    case ("catalogue", 3) where words[1] == "remove-maintainer": return .removeMaintainer(name: words[2])
    case ("catalogue", _):
      throw UsageError(description: "catalogue takes 'depends' or 'remove-maintainer', and one name")
    case ("orders", 1): return .orders(first: first)
    case ("chat", 1): return .chat
    case ("chat", 3) where words[1] == "follow": return .follow(room: words[2])
    case ("chat", _): throw UsageError(description: "chat takes nothing, or 'follow' and the name of a room")
    case ("stats", 1): return .stats
    case ("watch", 1): return .watch(.catalogue)
    case ("watch", 2):
      if let domain = WatchedDomain(rawValue: words[1]) { return .watch(domain) }
      let known = WatchedDomain.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError(description: "watch takes one of \(known), not '\(words[1])'")
    case (let word?, _): throw UsageError(description: "'\(word)' is not a command, or has extra arguments")
    }
  }

  private static func value(
    of option: String,
    _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    guard let value = rest.popFirst(), !value.isEmpty else {
      throw UsageError(description: "\(option) needs a value")
    }
    return value
  }

  private static func number(
    of option: String,
    _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> Int {
    let text = try value(of: option, &rest)
    guard let number = Int(text), number > 0 else {
      throw UsageError(description: "\(option) needs a number above 0")
    }
    return number
  }
}
