/// Finds leaves that the Realtime Database refuses although a tree has them.
struct FirebaseLint: SubtreeVisitor {
  /// The maximum length of a path there, in bytes with slashes.
  private static let longestPath = 768
  /// Paths there must have fewer names.
  private static let mostNames = 32
  /// The greatest integer below which every integer is a double.
  private static let largestInteger: UInt64 = 1 << 53

  private var names: [String] = []
  private let report: (_ path: String, _ problem: String) throws -> Void

  init(_ report: @escaping (_ path: String, _ problem: String) throws -> Void) { self.report = report }

  mutating func visit(_ leaf: JSON) throws { try check(leaf, at: names) }

  mutating func visit(_ name: String, _ leaf: JSON) throws { try check(leaf, at: names + [name]) }

  mutating func begin(_ name: String) { names.append(name) }

  mutating func end() { names.removeLast() }

  private func check(_ leaf: JSON, at names: [String]) throws {
    let length = names.reduce(names.count - 1) { $0 + $1.utf8.count }
    var problems: [String] = []
    if length > Self.longestPath {
      problems.append("the path has \(length) bytes, which is more than \(Self.longestPath)")
    }
    if names.count >= Self.mostNames { problems.append("the path has \(names.count) levels") }
    if case .int(let value) = leaf, value.magnitude > Self.largestInteger {
      problems.append("the integer is beyond 2^53")
    }
    for problem in problems { try report(names.joined(separator: "/"), problem) }
  }
}
