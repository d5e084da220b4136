import Fief
import Foundation
import Testing

/// The values of a chat's derived properties.
struct DerivedValues: Equatable {
  var membersCount: Int
  var points: Int
  var weight: Double
  var cost: Decimal
  var least: Int?
  var most: Int?
  var firstBorn: Date?
  var lastName: String?
  var clamped: Int8
  var visitorsCount: Int32
  var visitorPoints: Int?
  var guestsCount: Int
  var guestPoints: Int
  var guestWeight: Double
  var guestMost: Int?
  var guestFirstName: String?
  var adminsCount: Int
  var adminPoints: Int
  var adminLeast: Int?
  var rolesCount: Int
  var rolePoints: Int
  var searchName: String
  var searchTopic: String?

  /// The values that an object has.
  init(stored chat: DerivedChat) {
    membersCount = chat.membersCount
    points = chat.points
    weight = chat.weight
    cost = chat.cost
    least = chat.least
    most = chat.most
    firstBorn = chat.firstBorn
    lastName = chat.lastName
    clamped = chat.clamped
    visitorsCount = chat.visitorsCount
    visitorPoints = chat.visitorPoints
    guestsCount = chat.guestsCount
    guestPoints = chat.guestPoints
    guestWeight = chat.guestWeight
    guestMost = chat.guestMost
    guestFirstName = chat.guestFirstName
    adminsCount = chat.adminsCount
    adminPoints = chat.adminPoints
    adminLeast = chat.adminLeast
    rolesCount = chat.rolesCount
    rolePoints = chat.rolePoints
    searchName = chat.searchName
    searchTopic = chat.searchTopic
  }

  /// The expected values, by the members that link the chat and that it links.
  init(of chat: DerivedChat, members all: [DerivedMember]) {
    let members = all.filter { $0.chat?.id == chat.id }
    let visitors = all.filter { $0.rooms.contains { $0.id == chat.id } }
    let guests = Array(chat.guests)
    let admins = Array(chat.admins)
    let roles = chat.roles.compactMap { $0.value }
    membersCount = members.count
    points = members.reduce(0) { $0 + $1.points }
    weight = members.reduce(0) { $0 + $1.weight }
    cost = members.reduce(0) { $0 + $1.cost }
    least = members.map(\.points).min()
    most = members.map(\.points).max()
    firstBorn = members.compactMap(\.born).min()
    lastName = members.map(\.name).max()
    clamped = Int8(clamping: points)
    visitorsCount = Int32(visitors.count)
    visitorPoints = visitors.reduce(0) { $0 + $1.points }
    guestsCount = guests.count
    guestPoints = guests.reduce(0) { $0 + $1.points }
    guestWeight = guests.reduce(0) { $0 + $1.weight }
    guestMost = guests.map(\.points).max()
    guestFirstName = guests.map(\.name).min()
    adminsCount = admins.count
    adminPoints = admins.reduce(0) { $0 + $1.points }
    adminLeast = admins.map(\.points).min()
    rolesCount = chat.roles.count
    rolePoints = roles.reduce(0) { $0 + $1.points }
    searchName = chat.name.lowercased()
    searchTopic = chat.topic?.lowercased()
  }
}

extension DerivedRepository {
  /// Expects every chat to have the values that its members give.
  func expectRight(_ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try read { snapshot in
      let members = Array(snapshot.objects(DerivedMember.self))
      for chat in snapshot.objects(DerivedChat.self) {
        #expect(
          DerivedValues(stored: chat) == DerivedValues(of: chat, members: members),
          comment,
          sourceLocation: sourceLocation
        )
      }
      for member in members {
        let fans = members.filter { $0.friend?.id == member.id }
        let fansOfFans = fans.map { fan in members.filter { $0.friend?.id == fan.id }.count }
        let friend = member.friend
        let friends = friend.map { friend in members.count { $0.friend?.id == friend.id } }
        let expected = [fans.count, fansOfFans.reduce(0, +), friends, friend?.points]
        let found = [
          Int(member.fansCount), member.fansOfFans, member.friendFans.map { Int($0) }, member.friendPoints,
        ]
        #expect(found == expected, comment, sourceLocation: sourceLocation)
      }
      for house in snapshot.objects(DerivedHouse.self) {
        let counts = { (chats: [DerivedChat]) in
          chats.reduce(0) { sum, chat in sum + members.count { $0.chat?.id == chat.id } }
        }
        let expected = [counts(Array(house.chats)), counts(Array(house.halls))]
        #expect([house.membersTotal, house.hallMembers] == expected, comment, sourceLocation: sourceLocation)
        #expect(
          house.changedAt == house.chats.compactMap(\.changedAt).max(),
          comment,
          sourceLocation: sourceLocation
        )
      }
    }
  }
}
