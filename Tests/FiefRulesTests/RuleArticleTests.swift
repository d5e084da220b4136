import Fief
import FiefTesting
import FiefTree
import FiefTreeTestKit
import Foundation
import Testing

/// The code of the article about access rules.
@Suite(.freshStores) struct RuleArticleTests {
  @Test func rulesInSwiftRun() async throws {
    // Documentation: begin swift
    let rules = try AccessRules()
      .read("users/$uid") { $0.auth?.uid == $0["uid"] }
      .write("users/$uid") { $0.auth?.uid == $0["uid"] }
      .validate("users/$uid/name") { $0.newData.isString }
    let tree = JSONTree(in: ChatRepository(), rules: rules)
    let client = tree.client(as: RuleAuth(uid: "ada"))
    let me = try client.reference("users/ada")
    try await me.child("name").setValue("Ada")
    do { try await me.child("name").setValue(7) } catch let error as FiefError {
      print(error.code)  // permissionDenied
    }
    // Documentation: end swift
    #expect(try me.value() == ["name": "Ada"])
    expectDenied { try me.child("name").setValueAndWait(7) }
    try testClients(of: tree)
    #expect(try me.value() == ["name": "Ada"])
  }

  private func testClients(of tree: JSONTree) throws {
    // Documentation: begin test
    let client = tree.client(as: RuleAuth(uid: "eve"))
    #expect(throws: FiefError.self) { try client.reference("users/ada").value() }
    #expect(throws: FiefError.self) { try client.reference("users/ada/name").setValueAndWait("Eve") }
    // Documentation: end test
  }

  @Test func rulesInJSONRun() async throws {
    let text = try #require(ArticleCode.blocks(of: try ArticleCode.text(of: "RulesForClients"), "json").first)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    // Documentation: begin json
    let rules = try AccessRules(json: Data(contentsOf: file))
    let tree = JSONTree(in: ChatRepository(), rules: rules)
    // Documentation: end json
    try await tree.reference("members/r1/ada").setValue(true)
    try await tree.reference("rooms/r1/title").setValue("Fief")
    let room = try tree.client(as: RuleAuth(uid: "ada")).reference("rooms/r1")
    let message = try room.child("messages").childByAutoId()
    try await message.setValue(["from": "ada", "text": "Hello", "at": .serverTimestamp])
    #expect(try room.value()["title"] == "Fief" && message.child("text").value() == "Hello")
    let wrong: [JSON] = [
      ["from": "bo", "text": "Hello", "at": .serverTimestamp], ["from": "ada", "text": "Hello", "at": 1],
      ["from": "ada", "text": .string(String(repeating: "x", count: 1001)), "at": .serverTimestamp],
      ["from": "ada", "text": "Hello", "at": .serverTimestamp, "x": 1], ["from": "ada", "text": "Hello"],
      "Hello",
    ]
    for value in wrong { expectDenied { try room.child("messages").childByAutoId().setValueAndWait(value) } }
    expectDenied { try message.removeValueAndWait() }
    let other = try tree.client(as: RuleAuth(uid: "eve")).reference("rooms/r1")
    #expect(try other.child("title").value() == "Fief")
    expectDenied { try other.value() }
    expectDenied { try tree.client(as: nil).reference("rooms/r1/title").value() }
  }

  @Test func theArticleShowsThem() throws {
    try ArticleCode.check(["RulesForClients"], against: #filePath, parts: 3)
  }
}
