import Fief
import Testing

final class LinkedPart: EmbeddedObject {
  @Persisted var text = ""
  @Persisted var target: LinkedTarget?
  @Persisted var list: List<LinkedTarget>
  @Persisted var set: MutableSet<LinkedTarget>
  @Persisted var map: Map<String, LinkedTarget?>
  @Persisted var inner: InnerPart?

  /// The keys of what it links, by the property.
  var content: String {
    let mapped = map.keys.sorted().map { "\($0) \(map[$0].flatMap { $0?.id } ?? -1)" }
    return
      "\(target?.id ?? -1) \(list.map(\.id)) \(set.map(\.id).sorted()) \(mapped) \(inner?.target?.id ?? -1)"
  }
}

final class InnerPart: EmbeddedObject {
  @Persisted var target: LinkedTarget?
}

final class LinkedTarget: Object {
  @Persisted(primaryKey: true) var id = 0

  convenience init(_ id: Int) {
    self.init()
    self.id = id
  }
}

final class PartOwner: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var part: LinkedPart?
  @Persisted var parts: List<LinkedPart>
  @Persisted var partMap: Map<String, LinkedPart?>
}

struct Rollback: Error {}

/// Tests with owners of parts that link two objects.
protocol PartLinkTests {}

extension PartLinkTests {
  static var full: String { #"1 [1, 2] [1, 2] ["one 1", "two 2"] 1"# }
  static var without: String { #"-1 [2] [2] ["one -1", "two 2"] -1"# }

  func forBoth(_ body: (RuleRepository) throws -> Void) throws {
    try RuleRepository.forBoth(
      [PartOwner.self, LinkedTarget.self],
      embedded: [LinkedPart.self, InnerPart.self],
      body
    )
  }

  /// The same with an owner that has three parts; see ``full``.
  func withOwner(_ body: (RuleRepository) throws -> Void) throws {
    try forBoth { repository in
      try fill(repository)
      try body(repository)
    }
  }

  private func fill(_ repository: RuleRepository) throws {
    try repository.write { transaction in
      let targets = [LinkedTarget(1), LinkedTarget(2)]
      try transaction.add(targets)
      func part() -> LinkedPart {
        let part = LinkedPart()
        part.target = targets[0]
        part.list.append(objectsIn: targets)
        part.set.insert(objectsIn: targets)
        part.map["one"] = targets[0]
        part.map["two"] = targets[1]
        part.inner = InnerPart(value: ["target": targets[0]])
        return part
      }
      let owner = PartOwner()
      owner.part = part()
      owner.parts.append(part())
      owner.partMap["key"] = part()
      try transaction.add(owner)
    }
  }

  func contents(of owner: PartOwner?) -> [String?] {
    [owner?.part?.content, owner?.parts.first?.content, (owner?.partMap["key"] ?? nil)?.content]
  }

  func all(_ content: String) -> [String?] { [content, content, content] }
}

final class DefaultLinkPart: EmbeddedObject {
  @Persisted var target: LinkedTarget? = LinkedTarget(99)
}

final class DefaultLinkOwner: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var part: DefaultLinkPart?
}

final class LoudTarget: Object {
  @Persisted(primaryKey: true) var id = 0
  nonisolated(unsafe) static var deinitHandler: (() -> Void)?
  deinit { Self.deinitHandler?() }
}

final class LoudPart: EmbeddedObject {
  @Persisted var target: LoudTarget?
  @Persisted var list: List<LoudTarget>
}

final class LoudOwner: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var part: LoudPart?
}
