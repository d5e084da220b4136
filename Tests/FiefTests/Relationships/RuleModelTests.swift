import Fief
import FiefStress
import Foundation
import Testing

/// Random graphs with every rule, and random changes of them, end as a plain model says.
@Suite(.timeLimit(.minutes(10))) struct RuleModelTests {
  @Test(arguments: 0..<12, [true, false])
  func agreesWithTheModel(run: Int, inMemory: Bool) throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    let directory = try TemporaryDirectory()
    let repository =
      inMemory
      ? RuleRepository(realmMemoryType: .inMemory(identifier: directory.path))
      : RuleRepository(realmMemoryType: .inStorage, directory: directory.path)
    defer { repository.close() }
    if let error = repository.store().openingError { throw error }
    var driver = RuleDriver(repository, seed: seed)
    for step in 0..<150 {
      do {
        try driver.step()
        let problems = try repository.check().problems
        let found = try RuleModel(repository)
        let inverses = try driver.wrongInverses()
        #expect(problems == [], "seed \(seed), step \(step): \(driver.log)")
        #expect(found == driver.model.visible, "seed \(seed), step \(step): \(driver.log)")
        #expect(inverses == [], "seed \(seed), step \(step): \(driver.log)")
        guard problems.isEmpty, found == driver.model.visible, inverses.isEmpty else { return }
      } catch {
        Issue.record("seed \(seed), step \(step): \(driver.log): \(error)")
        return
      }
    }
  }
}

/// Does the same to a store and to the model.
struct RuleDriver {
  let repository: RuleRepository
  var model = RuleModel()
  /// What the last step did.
  private(set) var log = ""
  private var random: StressRandom

  init(_ repository: RuleRepository, seed: UInt64) {
    self.repository = repository
    random = StressRandom(seed: seed)
  }

  /// A change, by itself or together with others in one write.
  private enum Change {
    case add(Int)
    case number(Int, Int)
    case one(Int, String, Int?)
    case many(Int, String, [Int])
    case map(Int, String, Int?)
    case delete([Int])
    case leaf(Int, owner: Int?, marks: [Int])
    case deleteLeaf(Int)
    case deleteAll(leaves: Bool)
  }

  mutating func step() throws {
    log = ""
    switch random.next(10) {
    case 0..<5: try write()
    case 5..<7: try deleteInTheQueue()
    case 7: try saveInTheQueue()
    case 8: try importLeaf()
    default: if repository.realmMemoryType == .inStorage { repository.close() }
    }
  }

  // MARK: Drawing

  private mutating func existing() -> Int? {
    let ids = model.nodes.keys.sorted()
    return ids.isEmpty ? nil : ids[random.next(ids.count)]
  }

  private mutating func existing(_ count: Int) -> [Int] {
    (0..<count).compactMap { _ in existing() }
  }

  private mutating func change(isAlone: Bool) -> Change {
    guard let id = existing(), model.nodes.count > 3 else { return .add(random.next(14)) }
    switch random.next(24) {
    case 0..<6: return .add(random.next(14))
    case 6: return .number(id, random.next(100))
    case 7..<13:
      let name = RuleModel.ones[random.next(RuleModel.ones.count)]
      return .one(id, name, random.next(5) == 0 ? nil : existing())
    case 13..<16:
      let name = RuleModel.manies[random.next(RuleModel.manies.count)]
      // A list that was read and is then written with other things has no links to nothing any more.
      if name == "looseMany", !isAlone { return .number(id, random.next(100)) }
      return .many(id, name, existing(random.next(4)))
    case 16: return .map(id, "key\(random.next(3))", random.next(3) == 0 ? nil : existing())
    case 17..<20: return .delete(Array(Set([id] + existing(random.next(3)))).sorted())
    case 20..<22:
      return .leaf(
        random.next(8),
        owner: random.next(8) == 0 ? nil : existing(),
        marks: existing(random.next(10) == 0 ? 0 : 1 + random.next(4))
      )
    case 22:
      let ids = model.leaves.keys.sorted()
      return ids.isEmpty ? .add(random.next(14)) : .deleteLeaf(ids[random.next(ids.count)])
    default: return random.next(4) == 0 ? .deleteAll(leaves: random.next(3) > 0) : .add(random.next(14))
    }
  }

  // MARK: The model

  private func apply(_ change: Change, to model: inout RuleModel) -> RuleModel.Outcome {
    switch change {
    case .add(let id): model.nodes[id] = model.nodes[id] ?? RuleModel.Node()
    case .number(let id, let number): model.nodes[id]?.number = number
    case .one(let id, let name, let target): model.nodes[id]?.one[name] = target
    case .many(let id, let name, let targets):
      model.nodes[id]?.many[name] = name == "plainMany" ? Array(Set(targets)) : targets
    case .map(let id, let key, let target): model.nodes[id]?.map[key] = .some(target)
    case .delete(let ids): return model.delete(ids)
    case .leaf(let id, let owner, let marks): model.leaves[id] = RuleModel.Leaf(owner: owner, marks: marks)
    case .deleteLeaf(let id): model.leaves[id] = nil
    case .deleteAll(let leaves):
      if leaves { model.leaves = [:] } else { return model.delete(Array(model.nodes.keys)) }
    }
    return .done
  }

  // MARK: The store

  private mutating func write() throws {
    let count = random.next(2) == 0 ? 1 : 2 + random.next(4)
    var after = model
    var changes: [(Change, RuleModel.Outcome)] = []
    let before = model
    for _ in 0..<count {
      model = after
      let change = change(isAlone: count == 1)
      changes.append((change, apply(change, to: &after)))
    }
    model = before
    let isRefused = random.next(12) == 0
    log = "\(changes)\(isRefused ? ", refused" : "")"
    do {
      try repository.store().write { transaction in
        for (change, expected) in changes {
          do {
            try Self.perform(change, transaction)
            if expected != .done { throw Wrong(text: "\(change) was done") }
          } catch let error as FiefError where error.code == .deletionDenied {
            if expected != .denied { throw Wrong(text: "\(change) was denied: \(error)") }
          }
        }
        if isRefused { throw Refused() }
      }
      guard after.isValid else { throw Wrong(text: "an invalid state was committed") }
      model = after
    } catch is Refused {
    } catch let error as FiefError where error.code == .validationFailed {
      if after.isValid { throw error }
    }
  }

  private struct Refused: Error {}
  struct Wrong: Error {
    let text: String
  }

  private static func perform(_ change: Change, _ transaction: WriteTransaction) throws {
    func node(_ id: Int?) throws -> RuleNode? {
      try id.flatMap { try transaction.object(ofType: RuleNode.self, forPrimaryKey: $0) }
    }
    switch change {
    case .add(let id): if try node(id) == nil { try transaction.add(RuleNode(id)) }
    case .number(let id, let number): try node(id)?.number = number
    case .one(let id, let name, let target): try node(id)?.setOne(name, try node(target))
    case .many(let id, let name, let targets):
      try node(id)?.setMany(name, try targets.compactMap { try node($0) })
    case .map(let id, let key, let target):
      // Nil as a value is an entry; an assignment of it would remove the key.
      try node(id)?.plainMap[key] = .some(try node(target))
    case .delete(let ids):
      let nodes = try ids.compactMap { try node($0) }
      if nodes.count == 1 { try transaction.delete(nodes[0]) } else { try transaction.delete(nodes) }
    case .leaf(let id, let owner, let marks):
      let leaf = RuleLeaf(id)
      leaf.owner = try node(owner)
      leaf.marks = List(try marks.compactMap { try node($0) })
      try transaction.add(leaf, update: .all)
    case .deleteLeaf(let id):
      if let leaf = try transaction.object(ofType: RuleLeaf.self, forPrimaryKey: id) {
        try transaction.delete(leaf)
      }
    case .deleteAll(let leaves): try transaction.deleteAll(leaves ? RuleLeaf.self : RuleNode.self)
    }
  }

  private mutating func deleteInTheQueue() throws {
    let ids = Array(Set(existing(1 + random.next(3)))).sorted()
    var after = model
    let expected = after.delete(ids)
    log = "delete \(ids): \(expected)"
    do {
      try repository.deleteNow(ids.map { RuleNode($0) })
      guard expected == .done, after.isValid else { throw Wrong(text: "deleted") }
      model = after
    } catch let error as FiefError where error.code == .deletionDenied {
      if expected != .denied { throw error }
    } catch let error as FiefError where error.code == .validationFailed {
      if expected != .done || after.isValid { throw error }
    }
  }

  private mutating func saveInTheQueue() throws {
    guard let id = existing(), let target = existing(),
      let node = repository.object(ofType: RuleNode.self, forPrimaryKey: id),
      let other = repository.object(ofType: RuleNode.self, forPrimaryKey: target)
    else { return }
    var after = model
    let name = RuleModel.ones[random.next(RuleModel.ones.count)]
    node.setOne(name, other)
    let few = existing(random.next(5))
    node.few = List(few.compactMap { repository.object(ofType: RuleNode.self, forPrimaryKey: $0) })
    after.nodes[id]?.one[name] = target
    after.nodes[id]?.many["few"] = few
    log = "save \(id) \(name) \(target) few \(few)"
    do {
      try repository.saveNow([node], random.next(2) == 0 ? .all : .modified)
      guard after.isValid else { throw Wrong(text: "saved") }
      model = after
    } catch let error as FiefError where error.code == .validationFailed {
      if after.isValid { throw error }
    }
  }

  private mutating func importLeaf() throws {
    guard let owner = existing() else { return }
    let marks = existing(random.next(6))
    let id = random.next(8)
    var after = model
    after.leaves[id] = RuleModel.Leaf(owner: owner, marks: marks)
    log = "import leaf \(id) of \(owner) with \(marks)"
    var outcome: Result<Bool, any Error> = .success(false)
    let json = Data("{\"id\": \(id), \"owner\": \(owner), \"marks\": \(marks)}".utf8)
    repository.save(saveClass: RuleLeaf.self, jsonData: json, update: true) { outcome = $0 }
    do {
      _ = try outcome.get()
      guard after.isValid else { throw Wrong(text: "imported") }
      model = after
    } catch let error as FiefError where error.code == .validationFailed {
      if after.isValid { throw error }
    }
  }

  /// The inverses of the store that are not those of the model.
  func wrongInverses() throws -> [String] {
    try repository.read { snapshot in
      var wrong: [String] = []
      for node in snapshot.objects(RuleNode.self) {
        let found = [
          ("looseOne", node.looseOf.map(\.id)), ("looseMany", node.looseManyOf.map(\.id)),
          ("parent", node.children.map(\.id)), ("keeper", node.kept.map(\.id)),
          ("leaves", node.leaves.map(\.id)),
        ]
        for (name, ids) in found where ids.sorted() != model.sources(of: name, to: node.id) {
          wrong.append("\(name) of \(node.id): \(ids), not \(model.sources(of: name, to: node.id))")
        }
      }
      return wrong
    }
  }
}
