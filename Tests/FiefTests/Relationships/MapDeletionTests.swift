import Fief
import Foundation
import Testing

/// Maps of links whose targets are deleted in the write that holds them.
@Suite struct MapDeletionTests {
  @Test func aKeyStaysWithNilWhereValuesCanBe() throws {
    try RuleRepository.forBoth([RuleNode.self, RuleLeaf.self]) { repository in
      try repository.write { tx in
        let owner = RuleNode(1)
        try tx.add([owner, RuleNode(2), RuleNode(3)])
        owner.plainMap["two"] = try tx.object(ofType: RuleNode.self, forPrimaryKey: 2)
        owner.plainMap["three"] = try tx.object(ofType: RuleNode.self, forPrimaryKey: 3)
      }
      try repository.write { tx in
        let owner = try #require(try tx.object(ofType: RuleNode.self, forPrimaryKey: 1))
        // One is read before, the other is not.
        let two = try #require(owner.plainMap["two"] ?? nil)
        try tx.delete(two)
        try tx.delete(ofType: RuleNode.self, forPrimaryKeys: [3])
        #expect(owner.plainMap.keys.sorted() == ["three", "two"])
        #expect(owner.plainMap.values.allSatisfy { $0?.id == nil })
        // Writes the map as the live object has it.
        owner.number = 4
      }
      let owner = try #require(repository.object(ofType: RuleNode.self, forPrimaryKey: 1))
      #expect(owner.number == 4 && owner.plainMap.keys.sorted() == ["three", "two"])
      #expect(owner.plainMap.values.allSatisfy { $0?.id == nil })
    }
  }
}
