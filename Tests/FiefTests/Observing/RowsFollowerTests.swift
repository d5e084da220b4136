import Fief
import FiefStress
import Foundation
import TestEffort
import Testing

@testable import FiefCore
@testable import FiefObserving

/// Followers of rows arrive at the rows of the query, whatever is committed, and report the differences.
@Suite(.timeLimit(.minutes(20)))
struct RowsFollowerTests {
  /// A follower, and the state of its observer.
  private struct Listener {
    let name: String
    let type: String
    let follower: RowsFollower
    let fresh: () -> RowsFollower
    var keys: [ObjectKey] = []
    var values: [ObjectKey: String] = [:]
    /// The former values of objects that were reported as modified.
    var former: [ObjectKey: String] = [:]
    let isWatched: Bool
  }

  private static let queries = [
    "TRUEPREDICATE", "age > 5", "rank < 6 SORT(name, age DESC)", "TRUEPREDICATE SORT(rank DESC, name[c])",
    "city == 'Ulm' SORT(name)", "city == nil", "TRUEPREDICATE SORT(city NULLS LAST, weight DESC)",
    "mother.age > 5", "TRUEPREDICATE SORT(mother.rank, name)", "age > 2 SORT(rank) LIMIT(7)",
    "TRUEPREDICATE SORT(rank) OFFSET(3) LIMIT(10)", "TRUEPREDICATE SORT(name) LIMIT(0)",
    "TRUEPREDICATE LIMIT(15)", "TRUEPREDICATE OFFSET(20)", "TRUEPREDICATE SORT(age) LAST(6)",
    "age > 3 SORT(rank DESC) DISTINCT(city)", "owners.@count > 0 SORT(age)", "ANY owners.name == 'Ann'",
    "mother == nil SORT(weight NULLS LAST)",
    "name BEGINSWITH 'dog 1' OR rank IN {1, 4, 7} SORT(weight, city)",
    "FALSEPREDICATE",
  ]

  private static let watched: [(text: String, paths: [String])] = [
    ("age > 2 SORT(rank)", ["name"]), ("TRUEPREDICATE SORT(rank) LIMIT(12)", ["mother.name", "city"]),
    ("TRUEPREDICATE", ["mother.mother.rank"]), ("rank > 2", ["owners.name"]),
    ("mother.age > 3 SORT(name)", ["mother.city", "owners.home.street"]),
  ]

  private static func members() -> [(name: String, members: QueryMembers, text: String)] {
    let key = ObjectKey(rowID: 1)
    func members(_ path: String...) -> QueryMembers {
      QueryMembers(type: "MemberOwner", key: key, path: path)
    }
    return [
      ("list", members("dogs"), "TRUEPREDICATE"), ("sorted list", members("dogs"), "age > 3 SORT(rank)"),
      ("distinct list", members("dogs"), "TRUEPREDICATE SORT(rank) DISTINCT(name)"),
      ("page of a list", members("dogs"), "TRUEPREDICATE OFFSET(2) LIMIT(9)"),
      ("end of a list", members("dogs"), "TRUEPREDICATE LAST(5)"),
      ("set", members("pack"), "TRUEPREDICATE"), ("set, rank", members("pack"), "rank > 4"),
      ("map", members("roles"), "TRUEPREDICATE"),
      ("map, sorted", members("guards"), "TRUEPREDICATE SORT(name)"),
      ("embedded", members("home", "kennel"), "TRUEPREDICATE"),
    ]
  }

  /// In the short form each run has one of the stores.
  private static let runs: [(run: Int, place: MemberStore)] = (0..<3).flatMap { run in
    let places = MemberStore.allCases
    return (TestEffort.isLong ? places : [places[run]]).map { (run, $0) }
  }

  @Test(arguments: runs)
  func everyQueryIsFollowed(run: Int, place: MemberStore) throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    var random = StressRandom(seed: seed)
    try MemberRepository.with(place) { repository in
      defer { repository.closeChecked() }
      let dogs = [20, 150, 700][run]
      let size = [10, 300, 1_300][run]
      let rounds = TestEffort.count([10, 3, 1][run], more: [10, 8, 3][run])
      try repository.fill(dogs: dogs, elements: (0..<size).map { _ in random.next(dogs) })
      let commits = FollowedCommits(try repository.store().core())
      var listeners = try Self.listeners(commits)
      try commits.look { state in
        for index in listeners.indices {
          try listeners[index].follower.start(at: state)
          #expect(listeners[index].follower.takeChanges() == nil)
          listeners[index].keys = listeners[index].follower.rows.keys
        }
      }
      try Self.keepValues(&listeners, repository)
      var before = 0
      for round in 0..<rounds {
        let commitsInRound = 1 + random.next(3)
        for _ in 0..<commitsInRound {
          try Self.change(repository, &random, dogs, random.next(8) == 0 ? 40 : 1 + random.next(4))
        }
        var pending = commits.take()
        if random.next(10) == 0 { pending = PendingChanges(isUnknown: true) }
        for index in listeners.indices {
          let comment: Comment = "seed \(seed), round \(round), \(listeners[index].name)"
          try Self.advance(&listeners[index], pending, commits, random.next(4) > 0, comment)
        }
        try Self.checkValues(&listeners, repository, "seed \(seed), round \(round)")
      }
      // Plain queries are not run again for a few changes.
      let plain = listeners.filter { $0.name == "age > 5" }.map(\.follower.runs)
      before = plain.reduce(0, +)
      // In a few rounds each one may have many changes.
      if rounds >= 10 { #expect(before < rounds, "seed \(seed)") }
    }
  }

  private static func listeners(_ commits: FollowedCommits) throws -> [Listener] {
    var listeners: [Listener] = []
    func add(_ name: String, _ description: QueryDescription, of type: String, _ paths: [String]? = nil) {
      let watched = paths?.map { QueryPath(keyPath: $0) }
      let fresh = { commits.rows(description, of: type, watched: watched) }
      listeners.append(
        Listener(name: name, type: type, follower: fresh(), fresh: fresh, isWatched: paths != nil)
      )
    }
    for text in queries { add(text, try commits.query(text, of: "MemberDog"), of: "MemberDog") }
    for (text, paths) in watched {
      add("\(text) watching \(paths)", try commits.query(text, of: "MemberDog"), of: "MemberDog", paths)
    }
    for (name, members, text) in members() {
      var description = try commits.query(text, of: "MemberDog")
      description.members = members
      add(name, description, of: "MemberDog")
      add(name + " watching", description, of: "MemberDog", ["mother.name", "rank"])
    }
    var bounded = try commits.query("TRUEPREDICATE SORT(rank, name DESC)", of: "MemberDog")
    bounded.start = QueryBound(values: [.integer(3)], key: nil, isInclusive: true)
    bounded.end = QueryBound(
      values: [.integer(7), .string("dog 4")],
      key: ObjectKey(rowID: 12),
      isInclusive: false
    )
    add("bounds", bounded, of: "MemberDog")
    bounded.limit = .first(5)
    add("bounds and a limit", bounded, of: "MemberDog")
    var locale = QueryDescription()
    locale.order = [QueryOrder(.path(QueryPath("name")), collation: .locale("de"))]
    add("locale", locale, of: "MemberDog")
    add("owners", QueryDescription(), of: "MemberOwner")
    add("owners watching", QueryDescription(), of: "MemberOwner", ["dogs.rank", "home.kennel.name", "pack"])
    add("some owners", try commits.query("ANY dogs.rank > 8", of: "MemberOwner"), of: "MemberOwner")
    add("sums", try commits.query("dogs.@sum.age > 60", of: "MemberOwner"), of: "MemberOwner")
    return listeners
  }

  /// Brings a follower to the newest state, and checks the reported changes where this is requested.
  private static func advance(
    _ listener: inout Listener,
    _ pending: PendingChanges,
    _ commits: FollowedCommits,
    _ isTaken: Bool,
    _ comment: Comment
  ) throws {
    try commits.look { state in
      let follower = listener.follower
      let isChanged = try follower.advance(pending, to: state)
      let fresh = listener.fresh()
      try fresh.start(at: state)
      #expect(follower.rows.keys == fresh.rows.keys, comment)
      let stamps = (0..<fresh.rows.count).map { fresh.rows.stamp(at: $0) }
      #expect((0..<follower.rows.count).map { follower.rows.stamp(at: $0) } == stamps, comment)
      guard isTaken else { return }
      let changes = follower.takeChanges()
      #expect((changes != nil) == isChanged, comment)
      let new = follower.rows.keys
      var applied = listener.keys
      if let changes {
        for index in changes.deletions.reversed() where index < applied.count { applied.remove(at: index) }
        for index in changes.insertions where index <= applied.count {
          applied.insert(new[index], at: index)
        }
        // An object that is reported as modified is found to differ below.
        for index in changes.modifications {
          let key = new[index]
          listener.former[key] = listener.values.removeValue(forKey: key) ?? listener.former[key]
        }
        for index in changes.insertions { listener.values[new[index]] = nil }
      }
      #expect(applied == new, comment)
      listener.keys = new
      listener.values = listener.values.filter { Set(new).contains($0.key) }
      #expect(follower.takeChanges() == nil, comment)
    }
  }

  // MARK: Values

  /// The values of the objects themselves, by type and key.
  private static func values(_ repository: MemberRepository) throws -> [String: [ObjectKey: String]] {
    var values: [String: [ObjectKey: String]] = [:]
    try repository.read { snapshot in
      for dog in snapshot.objects(MemberDog.self) {
        let text =
          "\(dog.name) \(dog.age) \(dog.weight ?? -1) \(dog.city ?? "-") \(dog.rank) \(dog.mother?.id ?? -1)"
        values["MemberDog", default: [:]][ObjectKey(rowID: Int64(dog.id))] = text
      }
      for owner in snapshot.objects(MemberOwner.self) {
        let roles = owner.roles.map { "\($0.key) \($0.value?.id ?? -1)" }.sorted()
        let text = "\(owner.name) \(owner.dogs.map(\.id)) \(owner.pack.map(\.id).sorted()) \(roles)"
        // Links of embedded objects lead to an object again that is created again, without a change of the record.
        let home = owner.home?.street ?? "-"
        values["MemberOwner", default: [:]][ObjectKey(rowID: Int64(owner.id))] =
          text + home + "\(Array(owner.numbers)) \(owner.guards.map { $0.value.id }.sorted())"
      }
    }
    return values
  }

  private static func keepValues(_ listeners: inout [Listener], _ repository: MemberRepository) throws {
    let values = try values(repository)
    for index in listeners.indices where !listeners[index].isWatched {
      for key in listeners[index].keys { listeners[index].values[key] = values[listeners[index].type]?[key] }
    }
  }

  /// An object that stays has no other values, unless it was reported as modified.
  private static func checkValues(
    _ listeners: inout [Listener],
    _ repository: MemberRepository,
    _ comment: String
  ) throws {
    let values = try values(repository)
    for index in listeners.indices where !listeners[index].isWatched {
      let own = values[listeners[index].type] ?? [:]
      // Changes that were not taken may differ.
      guard listeners[index].keys == listeners[index].follower.rows.keys else { continue }
      if listeners[index].follower.takeChanges() == nil {
        for (key, value) in listeners[index].values {
          #expect(own[key] == value, "\(comment), \(listeners[index].name), \(key)")
        }
      }
      for (key, value) in listeners[index].former where listeners[index].type == "MemberDog" {
        #expect(own[key] != value, "\(comment), \(listeners[index].name), \(key) was not modified")
      }
      listeners[index].former = [:]
      for key in listeners[index].keys { listeners[index].values[key] = own[key] }
    }
  }

  // MARK: Changes

  private static func change(
    _ repository: MemberRepository,
    _ random: inout StressRandom,
    _ dogs: Int,
    _ count: Int
  ) throws {
    try repository.write { tx in
      let owner = try repository.owner(1 + random.next(2), in: tx)
      for _ in 0..<count {
        let id = random.next(dogs + 20)
        let dog = try tx.object(ofType: MemberDog.self, forPrimaryKey: id)
        guard let dog else {
          let new = MemberRepository.dog(id)
          try tx.add(new)
          if random.next(2) == 0 { owner.dogs.append(new) }
          continue
        }
        switch random.next(14) {
        case 0: dog.city = ["Ulm", nil, "Rom"][random.next(3)]
        case 1: dog.rank = random.next(12)
        case 2: dog.name = "Dog \(random.next(12))"
        case 3: dog.age = random.next(13)
        case 4: dog.weight = random.next(3) == 0 ? nil : Double(random.next(6))
        case 5: dog.mother = try tx.object(ofType: MemberDog.self, forPrimaryKey: random.next(dogs))
        case 6: if random.next(2) == 0 { try tx.delete(dog) }
        case 7: owner.dogs.insert(dog, at: random.next(owner.dogs.count + 1))
        case 8: if !owner.dogs.isEmpty { owner.dogs.remove(at: random.next(owner.dogs.count)) }
        case 9:
          if !owner.dogs.isEmpty { owner.dogs.move(from: random.next(owner.dogs.count), to: 0) }
        case 10: if owner.pack.contains(dog) { owner.pack.remove(dog) } else { owner.pack.insert(dog) }
        case 11:
          owner.roles["role \(random.next(30))"] = .some(dog)
          owner.guards["guard \(random.next(30))"] = dog
        case 12:
          if owner.home == nil { owner.home = MemberHome(value: ["street": "New"]) }
          owner.home?.kennel.append(dog)
          if random.next(3) == 0 { owner.home?.street = "Street \(random.next(5))" }
        default:
          owner.name = ["Ann", "Bob", "Cy"][random.next(3)]
          if !owner.dogs.isEmpty { owner.dogs[random.next(owner.dogs.count)] = dog }
        }
      }
    }
  }
}
