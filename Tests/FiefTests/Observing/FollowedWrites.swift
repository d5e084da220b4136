import Fief
import Foundation

@testable import FiefCore

/// Random changes of persons, clubs and notes.
struct FollowedWrites {
  static let persons = 1...24

  var random: MigrationRandom
  /// The name of the last step.
  private(set) var last = ""

  init(seed: UInt64) { random = MigrationRandom(seed: seed) }

  mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func fill(_ scope: WriteTransaction) throws {
    for id in Self.persons { try scope.create(FollowedPerson.self, value: ["id": id, "name": "\(id)"]) }
    for id in 1...3 { try scope.create(FollowedClub.self, value: ["id": id]) }
    for _ in 0..<40 { try step(scope) }
  }

  private mutating func person(_ scope: WriteTransaction) throws -> FollowedPerson {
    let id = number(1..<Self.persons.count + 1)
    if let known = try scope.object(ofType: FollowedPerson.self, forPrimaryKey: id) { return known }
    return try scope.create(FollowedPerson.self, value: ["id": id])
  }

  mutating func step(_ scope: WriteTransaction) throws {
    let person = try person(scope)
    let other = try self.person(scope)
    let kind = number(0..<22)
    last = "kind \(kind) of \(person.id), \(other.id)"
    switch kind {
    case 0: person.name = "\(number(0..<4))"
    case 1: person.age = number(0..<100_000)
    case 2: person.nick = number(0..<3) == 0 ? nil : "\(number(0..<3))"
    case 3: person.best = number(0..<4) == 0 ? nil : other
    case 4: person.friends.insert(other, at: number(0..<person.friends.count + 1))
    case 5: if !person.friends.isEmpty { person.friends.remove(at: number(0..<person.friends.count)) }
    case 6: person.circle.insert(other)
    case 7: person.circle.remove(other)
    case 8: person.named["\(number(0..<3))"] = other
    case 9: person.named["\(number(0..<3))"] = nil
    case 10: person.tags.insert("\(number(0..<6))")
    case 11: person.ratings["\(number(0..<4))"] = number(0..<3)
    case 12: person.home = number(0..<3) == 0 ? nil : FollowedPlace(value: ["city": "\(number(0..<3))"])
    case 13: person.home?.numbers.append(number(0..<9))
    case 14: person.places.append(FollowedPlace(value: ["city": "\(number(0..<3))"]))
    case 15: if number(0..<2) == 0 { try scope.delete(person) }
    case 16: try changeNumbers(person)
    case 17: try changeClub(scope, person)
    case 18:
      try scope.create(
        FollowedNote.self,
        value: ["id": number(0..<6), "text": "\(number(0..<3))"],
        update: .all
      )
    case 19:
      try scope.create(
        FollowedNote.self,
        value: ["id": number(0..<6), "count": number(0..<3)],
        update: .modified
      )
    case 20: person.score = Double(number(0..<3))
    default: if !person.places.isEmpty { person.places[0].city = "\(number(0..<3))" }
    }
  }

  /// Different numbers, so that each move is a change, over the size where a list is large.
  private mutating func changeNumbers(_ person: FollowedPerson) throws {
    let count = person.numbers.count
    switch number(0..<6) {
    case 0: person.numbers.append(objectsIn: (0..<900).map { _ in number(0..<1 << 40) })
    case 1: person.numbers.append(number(0..<1 << 40))
    case 2: if count > 1 { person.numbers.swapAt(0, count - 1) }
    case 3: if count > 0 { person.numbers = List(person.numbers.prefix(number(0..<count)).map { $0 }) }
    case 4: if count > 1 { person.numbers.move(from: 0, to: number(1..<count)) }
    default: person.numbers = List(person.numbers.map { $0 })
    }
  }

  private mutating func changeClub(_ scope: WriteTransaction, _ person: FollowedPerson) throws {
    let id = number(1..<4)
    guard let club = try scope.object(ofType: FollowedClub.self, forPrimaryKey: id) else { return }
    switch number(0..<4) {
    case 0: club.members.append(person)
    case 1: club.captain = person
    case 2: if !club.members.isEmpty { club.members.remove(at: 0) }
    default: club.title = "\(number(0..<9))"
    }
  }
}
