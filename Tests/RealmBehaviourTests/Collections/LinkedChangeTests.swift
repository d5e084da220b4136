import FiefRealm
import FiefTesting
import Foundation
import Testing

private final class LinkedNode: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var value = 0
  @Persisted var next: LinkedNode?
}

private final class LinkedPart: EmbeddedObject {
  @Persisted var node: LinkedNode?
}

private final class LinkedOwner: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var node: LinkedNode?
  @Persisted var nodes: List<LinkedNode>
  @Persisted var byName: Map<String, LinkedNode?>
  @Persisted var parts: List<LinkedPart>
  @Persisted var value: AnyRealmValue
  @Persisted var values: List<AnyRealmValue>
  @Persisted var valueMap: Map<String, AnyRealmValue>
}

private final class LinkedHolder: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var owners: List<LinkedOwner>
  @Persisted var byName: Map<String, LinkedOwner?>
}

/// Changes of linked objects, which observations without key paths report through four links.
@Suite(.freshStores, .timeLimit(.minutes(20))) struct LinkedChangeTests {
  private let realm: Realm
  private let queue = DispatchQueue(label: "observers")

  init() throws {
    realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString,
        objectTypes: [LinkedNode.self, LinkedPart.self, LinkedOwner.self, LinkedHolder.self]
      )
    )
    try realm.write { [realm] in
      // A chain that ends in a cycle: 1 → 2 → … → 6 → 6.
      var next: LinkedNode?
      for id in (1...6).reversed() {
        let node = realm.create(LinkedNode.self, value: ["id": id])
        node.next = next ?? node
        next = node
      }
      let owners = [0, 1].map { realm.create(LinkedOwner.self, value: ["id": $0]) }
      owners[1].node = next
      let holder = realm.create(LinkedHolder.self, value: ["id": 0])
      holder.owners.append(objectsIn: owners)
      holder.byName["a"] = owners[0]
      holder.byName["b"] = owners[1]
    }
  }

  /// The modifications of the calls behind the first one.
  private final class Calls: Sendable {
    private let stream: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func note(_ call: String) { continuation.yield(call) }
    func note<Collection>(_ change: RealmCollectionChange<Collection>) {
      switch change {
      case .initial: note("initial")
      case .update(_, let deletions, let insertions, let modifications):
        note("-\(deletions) +\(insertions) ~\(modifications)")
      case .error(let error): note("\(error)")
      }
    }
    func next() async -> String? {
      var iterator = stream.makeAsyncIterator()
      return await iterator.next()
    }
  }

  private func change(_ id: Int) throws {
    try realm.write { realm.object(ofType: LinkedNode.self, forPrimaryKey: id)?.value += 1 }
  }

  private func rename() throws {
    try realm.write { realm.object(ofType: LinkedOwner.self, forPrimaryKey: 0)?.name += "x" }
  }

  private func end(_ token: NotificationToken) {
    token.invalidate()
    realm.close()
  }

  enum Kind: CaseIterable { case results, list, map }

  private func observe(_ kind: Kind, _ keyPaths: [String]? = nil, _ calls: Calls) throws -> NotificationToken
  {
    let holder = try #require(realm.object(ofType: LinkedHolder.self, forPrimaryKey: 0))
    return switch kind {
    case .results:
      realm.objects(LinkedOwner.self).sorted(byKeyPath: "id").observe(keyPaths: keyPaths, on: queue) {
        calls.note($0)
      }
    case .list: holder.owners.observe(keyPaths: keyPaths, on: queue) { calls.note($0) }
    case .map:
      holder.byName.observe(keyPaths: keyPaths, on: queue) { change in
        switch change {
        case .initial: calls.note("initial")
        case .update(_, _, _, let keys): calls.note("-[] +[] ~\(keys.map { $0 == "a" ? 0 : 1 })")
        case .error(let error): calls.note("\(error)")
        }
      }
    }
  }

  @Test(arguments: Kind.allCases) func changesThroughFourLinksAreModifications(_ kind: Kind) async throws {
    let calls = Calls()
    let token = try observe(kind, nil, calls)
    #expect(await calls.next() == "initial")
    // Node 1 is behind one link, node 4 behind four.
    for id in 1...4 {
      try change(id)
      #expect(await calls.next() == "-[] +[] ~[1]")
    }
    // Node 5 is behind five: the next call is about the name.
    try change(5)
    try rename()
    #expect(await calls.next() == "-[] +[] ~[0]")
    end(token)
  }

  @Test(arguments: Kind.allCases) func keyPathsReadWhatTheyNameAlone(_ kind: Kind) async throws {
    let calls = Calls()
    let token = try observe(kind, ["name"], calls)
    #expect(await calls.next() == "initial")
    try change(1)
    try rename()
    #expect(await calls.next() == "-[] +[] ~[0]")
    end(token)
  }

  @Test func linksOfAllKindsAreFollowed() async throws {
    let (realm, calls) = (realm, Calls())
    let node = LinkedNode(value: ["id": 10])
    try realm.write {
      let owners = realm.objects(LinkedOwner.self).sorted(byKeyPath: "id")
      owners[0]?.nodes.append(node)
    }
    let token = try observe(.results, nil, calls)
    #expect(await calls.next() == "initial")
    try change(10)
    #expect(await calls.next() == "-[] +[] ~[0]")
    try realm.write {
      let owner = realm.object(ofType: LinkedOwner.self, forPrimaryKey: 0)
      owner?.nodes.removeAll()
      owner?.byName["n"] = node
    }
    #expect(await calls.next() == "-[] +[] ~[0]")
    try change(10)
    #expect(await calls.next() == "-[] +[] ~[0]")
    try realm.write {
      let owner = realm.object(ofType: LinkedOwner.self, forPrimaryKey: 0)
      owner?.byName.removeAll()
      owner?.parts.append(LinkedPart(value: ["node": node]))
    }
    #expect(await calls.next() == "-[] +[] ~[0]")
    try change(10)
    #expect(await calls.next() == "-[] +[] ~[0]")
    try realm.write { realm.delete(node) }
    #expect(await calls.next() == "-[] +[] ~[0]")
    end(token)
  }

  enum Place: CaseIterable { case value, nested, list, map }

  @Test("objects in values of any type are followed", arguments: Place.allCases)
  func values(_ place: Place) async throws {
    let calls = Calls()
    let realm = realm
    let token = try observe(.results, nil, calls)
    #expect(await calls.next() == "initial")
    // The type of the nodes is met in a value after the observation has begun.
    try realm.write {
      let node = realm.create(LinkedNode.self, value: ["id": 10])
      node.next = realm.create(LinkedNode.self, value: ["id": 11])
      let owner = try #require(realm.object(ofType: LinkedOwner.self, forPrimaryKey: 0))
      switch place {
      case .value: owner.value = .object(node)
      case .nested: owner.value = .list([.dictionary(["a": .object(node)])])
      case .list: owner.values.append(objectsIn: [.int(1), .object(node)])
      case .map: owner.valueMap["a"] = .object(node)
      }
    }
    #expect(await calls.next() == "-[] +[] ~[0]")
    for id in [10, 11] {
      try change(id)
      #expect(await calls.next() == "-[] +[] ~[0]")
    }
    try realm.write { realm.delete(try #require(realm.object(ofType: LinkedNode.self, forPrimaryKey: 10))) }
    #expect(await calls.next() == "-[] +[] ~[0]")
    end(token)
  }

  @Test("a collection of values reports the objects in its values") func collectionsOfValues() async throws {
    let (lists, maps) = (Calls(), Calls())
    let realm = realm
    try realm.write {
      let node = realm.create(LinkedNode.self, value: ["id": 10])
      let owner = try #require(realm.object(ofType: LinkedOwner.self, forPrimaryKey: 0))
      owner.values.append(objectsIn: [.int(1), .object(node)])
      owner.valueMap["a"] = .int(1)
      owner.valueMap["b"] = .object(node)
    }
    let owner = try #require(realm.object(ofType: LinkedOwner.self, forPrimaryKey: 0))
    let token = owner.values.observe(on: queue) { lists.note($0) }
    let other = owner.valueMap.observe(on: queue) { change in
      switch change {
      case .initial: maps.note("initial")
      case .update(_, let deletions, let insertions, let modifications):
        maps.note("-\(deletions) +\(insertions) ~\(modifications)")
      case .error(let error): maps.note("\(error)")
      }
    }
    #expect(await lists.next() == "initial")
    #expect(await maps.next() == "initial")
    try change(10)
    #expect(await lists.next() == "-[] +[] ~[1]")
    #expect(await maps.next() == "-[] +[] ~[\"b\"]")
    other.invalidate()
    end(token)
  }

  @Test func aTypeThatLinksItselfIsReportedAlongTheLinks() async throws {
    let calls = Calls()
    let token = realm.objects(LinkedNode.self).sorted(byKeyPath: "id").observe(on: queue) { calls.note($0) }
    #expect(await calls.next() == "initial")
    try change(6)
    #expect(await calls.next() == "-[] +[] ~[1, 2, 3, 4, 5]")
    end(token)
  }

  @Test("an object reports the deletion of an object in its values", arguments: Place.allCases)
  func deletedInValues(_ place: Place) async throws {
    let (calls, named) = (Calls(), Calls())
    let realm = realm
    let owner = try #require(realm.object(ofType: LinkedOwner.self, forPrimaryKey: 0))
    try realm.write {
      let node = realm.create(LinkedNode.self, value: ["id": 10])
      switch place {
      case .value: owner.value = .object(node)
      case .nested: owner.value = .list([.dictionary(["a": .object(node)])])
      case .list: owner.values.append(objectsIn: [.int(1), .object(node)])
      case .map: owner.valueMap["a"] = .object(node)
      }
    }
    let token = owner.observe(on: queue) { change in
      if case .change(_, let properties) = change { calls.note("\(properties.map(\.name))") }
    }
    let property = place == .list ? "values" : place == .map ? "valueMap" : "value"
    let other = owner.observe(keyPaths: [property], on: queue) { change in
      if case .change(_, let properties) = change { named.note("\(properties.map(\.name))") }
    }
    // A change of the object in the value does not count as a change of the owner.
    try change(10)
    try realm.write { realm.delete(try #require(realm.object(ofType: LinkedNode.self, forPrimaryKey: 10))) }
    for calls in [calls, named] { #expect(await calls.next() == "[\"\(property)\"]") }
    // The value means the new object.
    try realm.write { realm.add(LinkedNode(value: ["id": 10])) }
    for calls in [calls, named] { #expect(await calls.next() == "[\"\(property)\"]") }
    try realm.write { owner.name = "x" }
    #expect(await calls.next() == #"["name"]"#)
    other.invalidate()
    end(token)
  }

  @Test("an observer's own deletion of an object in a value is not reported to it")
  func ownDeletionInValues() async throws {
    let calls = Calls()
    let realm = realm
    let owner = try #require(realm.object(ofType: LinkedOwner.self, forPrimaryKey: 0))
    try realm.write { owner.value = .object(realm.create(LinkedNode.self, value: ["id": 10])) }
    let token = owner.observe(on: queue) { change in
      if case .change(_, let properties) = change { calls.note("\(properties.map(\.name))") }
    }
    realm.beginWrite()
    realm.delete(try #require(realm.object(ofType: LinkedNode.self, forPrimaryKey: 10)))
    try realm.commitWrite(withoutNotifying: [token])
    try rename()
    #expect(await calls.next() == #"["name"]"#)
    end(token)
  }

  @Test func aSingleObjectIsObservedAlone() async throws {
    let calls = Calls()
    let owner = try #require(realm.object(ofType: LinkedOwner.self, forPrimaryKey: 1))
    let token = owner.observe(on: queue) { change in
      if case .change(_, let properties) = change { calls.note("\(properties.map(\.name))") }
    }
    try change(1)
    try realm.write { owner.name = "x" }
    #expect(await calls.next() == #"["name"]"#)
    end(token)
  }
}
