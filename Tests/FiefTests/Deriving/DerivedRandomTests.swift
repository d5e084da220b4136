import Fief
import FiefStress
import FiefTesting
import Foundation
import TestEffort
import Testing

@testable import FiefCore
@testable import FiefInspection

/// Random changes of all kinds, compared after each commit with the values computed from the members.
@Suite(.timeLimit(.minutes(20))) struct DerivedRandomTests {
  @Test(arguments: 0..<TestEffort.count(1, more: 4), [true, false])
  func agreesWithTheMembers(run: Int, inMemory: Bool) throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    let directory = try TemporaryDirectory()
    let repository = DerivedRepository(
      realmMemoryType: inMemory ? .inMemory(identifier: directory.path) : .inStorage,
      directory: directory.path
    )
    defer { repository.close() }
    if let error = repository.store().openingError { throw error }
    var changes = DerivedChanges(repository, seed: seed)
    for step in 0..<60 {
      do { try changes.step() } catch {
        Issue.record("seed \(seed), step \(step): \(error)")
        return
      }
      try repository.expectRight("seed \(seed), step \(step): \(changes.last)")
      let problems = try repository.check().problems
      #expect(problems == [], "seed \(seed), step \(step): \(changes.last)")
      if !problems.isEmpty { return }
    }
  }
}

/// Random changes of chats and members.
struct DerivedChanges {
  private let repository: DerivedRepository
  private var random: MigrationRandom
  private(set) var last = ""

  init(_ repository: DerivedRepository, seed: UInt64) {
    self.repository = repository
    random = MigrationRandom(seed: seed)
  }

  private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func step() throws {
    let kind = number(0..<10)
    last = "kind \(kind)"
    switch kind {
    case 0: try repository.saveNow((0..<number(1..<6)).map { _ in member(chats: nil) })
    case 1: try repository.saveNow((0..<number(1..<3)).map { _ in chat(members: nil) })
    case 2: try patch()
    case 3: try remove()
    case 4, 5: try write()
    case 6: try dynamic()
    case 7: try repository.saveNow((0..<number(1..<3)).map { _ in house(try chats()) })
    case 8: try befriend()
    default:
      // One that nothing else may come before or after.
      if number(0..<6) == 0 {
        try repository.deleteAllNow(number(0..<2) == 0 ? DerivedChat.self : DerivedMember.self)
      }
      try repository.saveNow([chat(members: nil), member(chats: nil)])
    }
  }

  private func chats() throws -> [DerivedChat] { try repository.read { Array($0.objects(DerivedChat.self)) } }

  private mutating func house(_ chats: [DerivedChat]) -> DerivedHouse {
    let house = DerivedHouse(number(0..<3))
    for _ in 0..<number(0..<5) {
      let chat = pick(chats)
      house.chats.append(chat)
      if number(0..<2) == 0 { house.halls.insert(pick(chats)) }
    }
    return house
  }

  private mutating func befriend() throws {
    let members = try repository.read { Array($0.objects(DerivedMember.self)) }
    for member in members where number(0..<2) == 0 {
      member.friend = number(0..<5) == 0 ? nil : members[number(0..<members.count)]
      if number(0..<2) == 0 { member.points = number(-20..<40) }
    }
    try repository.saveNow(members, .all)
  }

  private mutating func member(chats: [DerivedChat]?) -> DerivedMember {
    let member = DerivedMember(number(0..<12), points: number(-20..<40))
    if number(0..<4) > 0 { member.chat = pick(chats) }
    for _ in 0..<number(0..<3) { member.rooms.append(pick(chats)) }
    return member
  }

  private mutating func pick(_ chats: [DerivedChat]?) -> DerivedChat {
    if let chats, !chats.isEmpty { return chats[number(0..<chats.count)] }
    return chat(members: [])
  }

  private mutating func chat(members: [DerivedMember]?) -> DerivedChat {
    let chat = DerivedChat(number(0..<5), "Chat \(number(0..<9)) Ä")
    if number(0..<2) == 0 { chat.topic = "Topic \(number(0..<9))" }
    guard members?.isEmpty != true else { return chat }
    fill(chat, members)
    return chat
  }

  private mutating func fill(_ chat: DerivedChat, _ members: [DerivedMember]?) {
    func next(_ number: Int) -> DerivedMember {
      if let members { return members[number % members.count] }
      return DerivedMember(number % 12, points: number)
    }
    var known: [Int: DerivedMember] = [:]
    func one(_ number: Int) -> DerivedMember {
      let made = next(number)
      if let member = known[made.id] { return member }
      known[made.id] = made
      return made
    }
    for _ in 0..<number(0..<5) { chat.guests.append(one(number(0..<40))) }
    for _ in 0..<number(0..<5) { chat.admins.insert(one(number(0..<40))) }
    for _ in 0..<number(0..<4) {
      chat.roles["\(number(0..<4))"] = .some(number(0..<4) == 0 ? nil : one(number(0..<40)))
    }
  }

  private mutating func patch() throws {
    let members = try repository.read { Array($0.objects(DerivedMember.self)) }
    for member in members where number(0..<3) == 0 {
      member.points = number(-20..<40)
      if number(0..<2) == 0 { member.name = "member \(number(0..<9))" }
      if number(0..<3) == 0 { member.chat = nil }
    }
    try repository.saveNow(members, .modified)
  }

  private mutating func remove() throws {
    let chance = number(2..<6)
    let objects: [Object] = try repository.read { snapshot in
      Array(snapshot.objects(DerivedMember.self)) as [Object] + Array(snapshot.objects(DerivedChat.self))
    }.filter { _ in number(0..<chance) == 0 }
    if !objects.isEmpty { try repository.deleteNow(objects) }
  }

  private mutating func write() throws {
    var random = self.random
    defer { self.random = random }
    let start = random
    var log = "write"
    try repository.write { transaction in
      // The closure may run again.
      random = start
      if random.next() % 2 == 0 {
        // Waiting derivations are flushed again and again.
        transaction.writer.largestWait = 0
        transaction.writer.boundingMask = Int(truncatingIfNeeded: random.next() % 4)
      }
      var inner = DerivedChanges(repository, seed: random.next())
      log = "write"
      for _ in 0..<inner.number(1..<10) { log += try inner.live(transaction) }
    }
    last = log
  }

  private mutating func live(_ transaction: WriteTransaction) throws -> String {
    let members = Array(transaction.objects(DerivedMember.self))
    let chats = Array(transaction.objects(DerivedChat.self))
    let kind = number(0..<12)
    switch kind {
    case 0: try transaction.add(member(chats: chats), update: number(0..<2) == 0 ? .all : .modified)
    case 1: try transaction.add(chat(members: members), update: .all)
    case 2 where !members.isEmpty:
      let member = members[number(0..<members.count)]
      member.chat = number(0..<3) == 0 || chats.isEmpty ? nil : chats[number(0..<chats.count)]
      member.points = number(-20..<40)
    case 3 where !chats.isEmpty && !members.isEmpty: fill(chats[number(0..<chats.count)], members)
    case 4 where !chats.isEmpty:
      let chat = chats[number(0..<chats.count)]
      chat.guests.remove(at: 0)
      chat.roles.removeObject(for: "1")
      if let first = chat.admins.first(where: { _ in true }) { chat.admins.remove(first) }
      chat.name = "Other \(number(0..<9))"
    case 5 where !members.isEmpty: try transaction.delete(members[number(0..<members.count)])
    case 6 where !chats.isEmpty: try transaction.delete(chats[number(0..<chats.count)])
    case 7 where !chats.isEmpty:
      let chat = chats[number(0..<chats.count)]
      for member in members where number(0..<3) == 0 { member.rooms.append(chat) }
    case 8: try transaction.add(house(chats), update: .all)
    case 9 where !members.isEmpty:
      let member = members[number(0..<members.count)]
      member.friend = members[number(0..<members.count)]
      if number(0..<2) == 0 {
        #expect(Int(member.fansCount) == members.count { $0.friend?.id == member.id })
      }
    default:
      for chat in chats {
        var values = DerivedValues(of: chat, members: members)
        // A live map drops the key of a deleted object, which the record keeps with nil.
        values.rolesCount = chat.rolesCount
        #expect(DerivedValues(stored: chat) == values)
      }
    }
    return " \(kind)"
  }

  private mutating func dynamic() throws {
    let id = number(0..<12)
    let points = number(-20..<40)
    let chats = try repository.read { $0.objects(DerivedChat.self).map(\.id) }
    let chat = chats.isEmpty ? nil : chats[number(0..<chats.count)]
    let isDeletion = number(0..<3) == 0
    let other = number(0..<12)
    try repository.dynamically { transaction in
      try transaction.put(
        "DerivedMember",
        ["id": id, "points": points, "chat": chat, "rooms": chat.map { [$0, $0] } ?? []],
        onConflict: .merge
      )
      if isDeletion, other != id { try transaction.delete("DerivedMember", forKey: other) }
      if let chat {
        try transaction.put("DerivedChat", ["id": chat, "guests": [id, id]], onConflict: .merge)
      }
    }
  }
}
