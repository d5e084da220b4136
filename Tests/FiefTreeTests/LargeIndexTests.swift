import Fief
import FiefTesting
import FiefTreeTestKit
import Foundation
import TestEffort
import Testing

@testable import FiefTree

/// Operations that change more indexed children than an operation keeps in memory.
struct LargeIndexTests {
  private let files: TransferFiles

  init() throws { files = try TransferFiles() }

  private func tree(_ chat: TreeFixture) async throws -> JSONTree {
    let tree = JSONTree(in: chat.store, rules: try AccessRules().index("rooms/$room", on: ".value"))
    try await tree.origin.waitForIndexes()
    return tree
  }

  private func rooms(_ names: [String], of count: Int, adding number: Int) -> JSON {
    .object(
      FiefTree.JSONObject(
        names.enumerated().map { index, name in
          let members = (0..<count).map { ("m\($0)", JSON.int(Int64(index * 10_000 + $0 + number))) }
          return (name, .object(FiefTree.JSONObject(members)))
        }
      )
    )
  }

  /// All entries of the last room are removed before the first room gets its number.
  @Test(arguments: TestEffort.first(1, of: [false, true])) func parentsKeepTheirOwnNumbers(_ isImport: Bool)
    async throws
  {
    let chat = try TreeFixture()
    let tree = try await tree(chat)
    let names = (10..<29).map { "r\($0)" }
    try tree.reference("rooms").setValueAndWait(rooms(names, of: 1000, adding: 0))
    let value = rooms(["a"] + names, of: 1000, adding: 1)
    if isImport {
      try tree.importJSONAndWait(from: files.file(value.text()), to: tree.reference("rooms"))
    } else {
      try tree.reference("rooms").setValueAndWait(value)
    }
    #expect(try tree.check() == [])
    for name in ["a", "r10", "r28"] {
      let query = try tree.reference("rooms/\(name)").queryOrderedByValue().queryLimited(toFirst: 2)
      #expect(
        try query.snapshot().children.map(\.reference.path) == ["rooms/\(name)/m0", "rooms/\(name)/m1"]
      )
    }
  }

  @Test func numbersOfManyParentsAreRemoved() async throws {
    let chat = try TreeFixture()
    let tree = try await tree(chat)
    let names = (0..<17_000).map { "r\($0)" }
    try tree.reference("rooms").setValueAndWait(rooms(names, of: 1, adding: 0))
    let some = Array(names.suffix(10)) + ["new"]
    try tree.importJSONAndWait(
      from: files.file(rooms(some, of: 1, adding: 1).text()),
      to: tree.reference("rooms")
    )
    #expect(try tree.check() == [])
    #expect(try tree.reference("rooms").childCount() == 11)
    try tree.reference("rooms").removeValueAndWait()
    #expect(try tree.check() == [] && chat.whole() == .null)
  }
}
