import Fief
import FiefTesting
import Foundation
import Testing

/// The code of the article *Indexes*.
@Suite(.freshStores) struct IndexesArticleTests {
  // Documentation: begin model
  final class Contact: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(index: .unique) var email: String?
    @Persisted(index: .caseInsensitive) var name = ""
    @Persisted(index: .fullText) var notes = ""
    @Persisted(indexed: true) var visits = 0
    @Persisted var country = ""
    @Persisted var city = ""

    override class func indexes() -> [IndexDefinition] {
      [IndexDefinition("country", "city")]
    }
  }
  // Documentation: end model

  private let contacts = TestRepository("contacts", objectTypes: [Contact.self])

  private func fill() throws {
    try contacts.write { transaction in
      for id in 0..<500 {
        let contact = Contact()
        contact.id = id
        contact.email = id % 2 == 0 ? "\(id)@example.org" : nil
        contact.name = id == 7 ? "ADA" : "Name \(id)"
        contact.notes = id == 9 ? "Owns a sailing boat." : "Note \(id)"
        contact.visits = id
        contact.country = ["NO", "SE", "DK", "FI"][id % 4]
        contact.city = "City \(id % 50)"
        try transaction.add(contact)
      }
    }
  }

  @Test func queriesUseTheIndexes() throws {
    try fill()
    // Documentation: begin use
    let all = try contacts.objects(Contact.self)

    // The index of country and city.
    let there = all.where { $0.country == "NO" && $0.city == "City 4" }
    // The index without case.
    let ada = all.where { $0.name.equals("ada", options: .caseInsensitive) }
    // The words of the notes: both of them, the second by its beginning.
    let sailors = all.where { $0.notes.matches("sailing boa*") }.sortedByRelevance()
    // The order of an index: only ten objects are read.
    let regulars = all.sorted(byKeyPath: \.visits, ascending: false).limit(10)
    // Documentation: end use
    #expect(there.map(\.id) == (0..<500).filter { $0 % 4 == 0 && $0 % 50 == 4 })
    #expect(ada.map(\.id) == [7] && sailors.map(\.id) == [9])
    #expect(regulars.map(\.id) == (490..<500).reversed())
    let columns = try [there, ada].map { results -> [String] in
      guard case .index(let names, _) = try results.explain().access else { return [] }
      return names
    }
    #expect(columns == [["country", "city"], ["name"]])
    #expect(
      try sailors.explain().access == .fullText(["notes"]) || sailors.explain().description.contains("notes")
    )
  }

  @Test func aPlanSaysHowObjectsAreFound() throws {
    try fill()
    // Documentation: begin explain
    let plan = try contacts.objects(Contact.self).where { $0.visits > 490 && $0.name != "" }.explain()
    print(plan)
    if case .scan = plan.access { print("reads every contact") }
    // Documentation: end explain
    guard case .index(["visits"], _) = plan.access else {
      Issue.record("\(plan)")
      return
    }
    guard case .scan = try contacts.objects(Contact.self).where({ $0.city == "City 4" }).explain().access
    else {
      Issue.record("the second property of an index alone")
      return
    }
  }

  @Test func aValueIsThereOnce() throws {
    try fill()
    // Documentation: begin unique
    do {
      let value: [String: Any] = ["id": 1_000, "email": "4@example.org"]
      try contacts.saveAndWait(entity: Contact(value: value))
    } catch let error as FiefError where error.code == .duplicateValue {
      print("There is a contact with this address.")
    }
    // Documentation: end unique
    #expect(try contacts.count(Contact.self) == 500)
    #expect(try contacts.objects(Contact.self).filter("email = nil").fetchCount() == 250)
  }

  @Test func theArticleShowsIt() throws { try ArticleCode.expectSame("Indexes", as: #filePath) }
}
