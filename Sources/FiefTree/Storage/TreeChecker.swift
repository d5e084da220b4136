import Fief
import LMDB

/// Checks that the entries of a tree are possible, and that every segment is reached by exactly one anchor.
struct TreeChecker {
  /// The form of the names in a segment.
  private struct Segment {
    /// The pieces of the name that the segment continues.
    let pieces: [UInt8]
    /// The number of names above the segment.
    let depth: Int
    /// Whether the segment was found.
    var isFound = false
  }

  /// The maximum number of problems.
  private static let mostProblems = 100

  private let nodes: TreeNodes
  private var problems: [String] = []
  /// The segments that anchors lead to. Anchors lead to later segments, so the anchor of a segment is read
  /// before the segment.
  private var segments: [Int: Segment] = [0: Segment(pieces: [], depth: 0, isFound: true)]
  private var previous: (segment: Int, place: [UInt8])?

  init(_ nodes: TreeNodes) { self.nodes = nodes }

  /// Returns a line for each problem.
  mutating func run() throws -> [String] {
    let cursor = try nodes.cursor()
    var found = try cursor.first()
    while found {
      do { try check(cursor.key, cursor.value) } catch let error as FiefError {
        guard error.code == .damagedRecord else { throw error }
        report(error.message, cursor.key)
      }
      if problems.count >= Self.mostProblems { return problems }
      found = try cursor.next()
    }
    for number in segments.filter({ !$0.value.isFound }).keys.sorted() {
      problems.append("an anchor leads to segment \(number), which is empty")
    }
    problems += try ChangeRing(nodes).problems()
    return problems
  }

  private mutating func report(_ problem: String, _ key: UnsafeRawBufferPointer) {
    problems.append(problem + " key: " + key.map { String($0, radix: 16) }.joined(separator: " "))
  }

  private mutating func check(_ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer) throws {
    guard let (segment, place) = NodeKey.read(key), NodeKey.key(segment, place).elementsEqual(key) else {
      throw nodes.damaged("A key of a tree is damaged.")
    }
    if let previous, previous.segment == segment, place.starts(with: previous.place) {
      throw nodes.damaged("A leaf or an anchor of a tree has an entry below it.")
    }
    previous = (segment, [UInt8](place))
    guard let own = segments[segment] else {
      throw nodes.damaged("No anchor leads to a segment of a tree.")
    }
    segments[segment]?.isFound = true
    let content = try nodes.content(of: key, record)
    let (pieces, depth) = try names(of: place, in: own, isRoot: segment == 0)
    guard case .anchor(let target) = content else {
      if !pieces.isEmpty { throw nodes.damaged("A piece of a name in a tree is no anchor.") }
      return
    }
    if pieces.isEmpty, place.count <= TreePlace.longestInline {
      throw nodes.damaged("An anchor of a tree has a short place.")
    }
    _ = try nodes.checked(target, of: segment)
    if segments.updateValue(Segment(pieces: pieces, depth: depth), forKey: target) != nil {
      throw nodes.damaged("Two anchors of a tree lead to one segment.")
    }
  }

  /// Checks the names of a place.
  ///
  /// - Returns: the pieces of the last name if it goes on in another segment, and the number of names.
  private func names(
    of place: UnsafeRawBufferPointer,
    in segment: Segment,
    isRoot: Bool
  ) throws -> (pieces: [UInt8], depth: Int) {
    if place.isEmpty, !isRoot { throw nodes.damaged("A segment of a tree has an entry without a name.") }
    var (start, depth) = (0, segment.depth)
    while start < place.count {
      guard start == 0 || start <= TreePlace.longestInline,
        let (component, end) = TreeComponent.read(place, at: start)
      else { throw nodes.damaged("A place of a tree is damaged.") }
      let pieces = start == 0 ? segment.pieces : []
      if case .piece(let range) = component {
        let whole = pieces + place[range]
        guard whole.count < TreeName.longest, String(validating: whole, as: UTF8.self) != nil else {
          throw nodes.damaged("A name of a tree is damaged.")
        }
        return (whole, depth)
      }
      _ = try nodes.name(component, in: place, after: pieces)
      depth += 1
      guard depth <= TreePath.mostNames else { throw nodes.damaged("A tree is too deep.") }
      start = end
    }
    return ([], depth)
  }
}

extension TreeNodes {
  /// Returns a line for each problem of the tree and its indexes.
  func problems() throws -> [String] {
    var checker = TreeChecker(self)
    let problems = try checker.run()
    // The indexes of a damaged tree cannot be compared with it.
    guard problems.isEmpty, var indexes = TreeIndexChecker(self) else { return problems }
    return try indexes.run()
  }
}
