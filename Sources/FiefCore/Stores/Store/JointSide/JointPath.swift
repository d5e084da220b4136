import Foundation

/// The path of a store relative to another store. With relative paths, stores that are moved or copied
/// together can find each other.
enum JointPath {
  /// Returns the path from one directory to another, with `..` for each step up.
  static func relative(from: String, to: String) -> String {
    let from = components(from)
    let to = components(to)
    let common = zip(from, to).prefix { $0 == $1 }.count
    return (Array(repeating: "..", count: from.count - common) + to[common...]).joined(separator: "/")
  }

  /// Returns the directory at the end of a relative path.
  static func resolved(_ path: String, from: String) -> String {
    var result = components(from)
    for component in path.split(separator: "/") where component != "." {
      if component == ".." { _ = result.popLast() } else { result.append(String(component)) }
    }
    return "/" + result.joined(separator: "/")
  }

  private static func components(_ path: String) -> [String] {
    let absolute =
      path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    var result: [String] = []
    for component in absolute.split(separator: "/") where component != "." {
      if component == ".." { _ = result.popLast() } else { result.append(String(component)) }
    }
    return result
  }
}
