import Fief
import Foundation
import Testing

@testable import FiefCore

/// The properties that key paths name.
struct TypedPathTests {
  private func names(_ keyPath: AnyKeyPath) throws -> [String] {
    try TypedPath.path(keyPath).steps.map {
      guard case .property(let name) = $0 else { return "?" }
      return name
    }
  }

  @Test func everyPropertyHasItsName() throws {
    #expect(try names(\CorpusItem.int8) == ["int8"])
    #expect(try names(\CorpusItem.optString) == ["optString"])
    #expect(try names(\CorpusItem.decimal) == ["decimal"])
    #expect(try names(\CorpusItem.uuid) == ["uuid"])
    #expect(try names(\CorpusItem.any) == ["any"])
    #expect(try names(\CorpusItem.size) == ["size"])
    #expect(try names(\CorpusItem.optSize) == ["optSize"])
    #expect(try names(\CorpusItem.cents) == ["cents"])
    #expect(try names(\CorpusItem.friend) == ["friend"])
    #expect(try names(\CorpusItem.collar) == ["collar"])
    #expect(try names(\CorpusItem.toys) == ["toys"])
    #expect(try names(\CorpusItem.toySet) == ["toySet"])
    #expect(try names(\CorpusItem.prices) == ["prices"])
    #expect(try names(\CorpusToy.owners) == ["owners"])
    #expect(try names(\IndexedCorpusItem.string) == ["string"])
  }

  @Test func waysGoThroughLinksAndEmbeddedObjects() throws {
    #expect(try names(\CorpusItem.friend?.friend?.string) == ["friend", "friend", "string"])
    #expect(try names(\CorpusItem.favourite!.maker!.founded) == ["favourite", "maker", "founded"])
    #expect(try names(\CorpusItem.collar?.tag?.label) == ["collar", "tag", "label"])
    #expect(try names(\CorpusItem.collar?.maker?.toys) == ["collar", "maker", "toys"])
    #expect(try names(\CorpusItem.size.rawValue) == ["size"])
    #expect(try names(\CorpusItem.cents.persistableValue) == ["cents"])
    #expect(try TypedPath.path(\CorpusItem.self) == .element)
  }

  @Test func whatIsNoPropertyIsAnError() throws {
    let others: [AnyKeyPath] = [
      \CorpusItem.shout, \CorpusItem.string.count, \CorpusItem.toys.count, \CorpusItem.friend?.shout,
      \CorpusItem.string.isEmpty, \CorpusItem.description, \CorpusItem.date.timeIntervalSince1970,
      \CorpusRow.int8, \String.count, \CorpusItem.collar?.color.count, \CorpusItem.prices.keys,
      \CorpusItem.string.precomposedStringWithCanonicalMapping,
      \CorpusItem.string.decomposedStringWithCanonicalMapping,
      \CorpusItem.string.precomposedStringWithCompatibilityMapping,
      \CorpusItem.string.decomposedStringWithCompatibilityMapping,
    ]
    for keyPath in others {
      let error = try #require(throws: FiefError.self, "\(keyPath)") { try TypedPath.path(keyPath) }
      #expect(error.code == .invalidQuery)
    }
  }

  @Test func manyThreadsMayAskAtOnce() async throws {
    let keyPaths: [AnyKeyPath & Sendable] = [
      \CorpusMaker.country, \CorpusMaker.founded, \CorpusToy.price, \CorpusToy.weight,
      \CorpusToy.maker?.country,
    ]
    let expected = try keyPaths.map { try names($0) }
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<16 {
        group.addTask { try keyPaths.map { try names($0) } == expected }
      }
      for try await isSame in group { #expect(isSame) }
    }
  }
}
