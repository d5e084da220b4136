import Fief
import FiefEncryption
import Foundation
import Testing

/// Secret properties in an encrypted store: what is looked up by equality works as in clear.
@Suite(.timeLimit(.minutes(30))) struct SecretKeyTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func clinic(_ isInMemory: Bool) -> Clinic { Clinic(parent: scratch.path, isInMemory: isInMemory) }

  private func fill(_ clinic: Clinic) throws {
    try clinic.write { transaction in
      for number in 0..<200 {
        let patient = Patient("p\(number)", "name \(number % 10)", age: number % 50, rank: number)
        patient.email = "Mail\(number)@Example.org"
        patient.weight = number == 7 ? -0.0 : Double(number % 4)
        patient.born = number % 5 == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(number % 6))
        patient.any = number % 2 == 0 ? .int(number % 8) : .string("any \(number % 8)")
        patient.bytes = Data(repeating: UInt8(number % 3), count: number % 3 * 400)
        patient.price = Decimal(number % 7) / 4
        patient.isWell = number % 3 == 0 ? nil : number % 3 == 1
        try transaction.add(patient)
      }
    }
  }

  @Test("equal values are found by their tokens, of each type", arguments: [false, true])
  func equality(isInMemory: Bool) throws {
    let clinic = clinic(isInMemory)
    try fill(clinic)
    let all = clinic.store().objects(Patient.self)
    #expect(all.where { $0.name == "name 3" }.count == 20)
    #expect(all.where { $0.name == "Name 3" }.count == 0)
    #expect(all.where { $0.age == 7 }.count == 4)
    #expect(all.where { $0.age.in([7, 8, 1000]) }.count == 8)
    #expect(all.where { $0.name != "name 3" }.count == 180)
    #expect(all.where { $0.weight == 0 }.count == 51)
    #expect(all.where { $0.born == nil }.count == 40)
    #expect(all.where { $0.born == Date(timeIntervalSinceReferenceDate: 1) }.count == 28)
    #expect(all.where { $0.email.equals("MAIL12@example.ORG", options: .caseInsensitive) }.count == 1)
    #expect(all.where { $0.email == "Mail12@Example.org" }.count == 1)
    #expect(all.where { $0.email == "mail12@Example.org" }.count == 0)
    #expect(all.where { $0.isWell == nil }.count == 67)
    #expect(all.where { $0.isWell == true }.count == 67)
    #expect(all.where { $0.price == Decimal(string: "0.25") ?? 0 }.count == 29)
    #expect(all.where { $0.bytes == Data(repeating: 2, count: 800) }.count == 66)
    #expect(all.where { $0.name == "name 3" && $0.rank > 100 }.count == 10)
    #expect(all.where { $0.name == "name 3" && $0.rank == 103 }.count == 1)
    #expect(all.where { $0.name.contains("3") }.count == 20)
    #expect(all.where { $0.number == "p17" }.count == 1)
    #expect(all.where { $0.number.in(["p17", "p18", "no"]) }.count == 2)
    #expect(clinic.object(ofType: Patient.self, forPrimaryKey: "p17")?.rank == 17)
    #expect(clinic.object(ofType: Patient.self, forPrimaryKey: "p1000") == nil)
    #expect(Set(all.map(\.number)).count == 200)
    #expect(try clinic.check().problems == [])
    clinic.close()
  }

  @Test("equality is looked up in indexes and in the primary key", arguments: [false, true])
  func plans(isInMemory: Bool) throws {
    let clinic = clinic(isInMemory)
    try fill(clinic)
    let all = clinic.store().objects(Patient.self)
    func isLookedUp(_ results: Results<Patient>) throws -> Bool {
      switch try results.explain().access {
      case .key, .index, .union, .intersection, .links: true
      default: false
      }
    }
    #expect(try isLookedUp(all.where { $0.name == "name 3" && $0.rank == 3 }))
    #expect(try isLookedUp(all.where { $0.age == 7 }))
    #expect(try isLookedUp(all.where { $0.age.in([7, 8]) }))
    #expect(try isLookedUp(all.where { $0.email.equals("MAIL12@example.ORG", options: .caseInsensitive) }))
    #expect(try isLookedUp(all.where { $0.bytes == Data(repeating: 9, count: 5000) }))
    #expect(try isLookedUp(all.where { $0.number == "p17" }))
    #expect(try isLookedUp(all.where { $0.number == String(repeating: "p", count: 300) }))
    #expect(try isLookedUp(all.where { $0.any == .string("any 8") }))
    #expect(try all.where { $0.name == "name 3" }.explain(.sum("rank")).isIndexOnly)
    clinic.close()
  }

  @Test("the objects' order is one that stays, and pages and cursors follow it", arguments: [false, true])
  func order(isInMemory: Bool) throws {
    let clinic = clinic(isInMemory)
    try fill(clinic)
    let all = clinic.store().objects(Patient.self)
    let numbers = all.map(\.number)
    #expect(all.map(\.number) == numbers && numbers.sorted() != numbers)
    var paged: [String] = []
    var page = try all.page(7)
    while true {
      paged += page.objects.map(\.number)
      if !page.hasMore { break }
      page = try all.page(7, after: page.end)
    }
    #expect(paged == numbers)
    let ranked = all.sorted(byKeyPath: "rank")
    #expect(ranked.map(\.rank) == Array(0..<200))
    let fiftieth = try #require(try ranked.fetchObject(at: 49))
    let place = try ranked.cursor(for: fiftieth)
    #expect(try ranked.page(3, after: place).objects.map(\.rank) == [50, 51, 52])
    #expect(all.distinct(by: [\.name]).count == 10)
    let one = try #require(try all.fetchObject(at: 17))
    #expect(try all.fetchIndex(of: one) == 17)
    #expect(try all.fetchContains(one))
    #expect(try all.fetchContains(Patient("p5", "")))
    #expect(try !all.fetchContains(Patient("p1000", "")))
    clinic.close()
  }

  @Test("two objects with one value in a unique index are an error with the value", arguments: [false, true])
  func uniqueness(isInMemory: Bool) throws {
    let clinic = clinic(isInMemory)
    try fill(clinic)
    let other = Patient("other", "n")
    other.email = "MAIL3@EXAMPLE.ORG"
    let error = #expect(throws: FiefError.self) { try clinic.saveAndWait(entity: other, update: false) }
    #expect(error?.code == .duplicateValue && error?.key == "other" && error?.property == "email")
    #expect(error?.showingValues().details == ["the other object: p3", "the value: MAIL3@EXAMPLE.ORG"])
    let same = #expect(throws: FiefError.self) {
      try clinic.saveAndWait(entity: Patient("p3", "n"), update: false)
    }
    #expect(same?.code == .duplicatePrimaryKey && same?.key == "p3")
    other.email = nil
    let one = Doctor()
    other.doctor = one
    try clinic.saveAndWait(entity: other, update: false)
    let second = Patient("second", "n")
    second.doctor = one
    #expect(code { try clinic.saveAndWait(entity: second, update: false) } == .duplicateValue)
    #expect(try clinic.check().problems == [])
    clinic.close()
  }

  @Test("links lead to objects with secret keys, and back", arguments: [false, true])
  func links(isInMemory: Bool) throws {
    let clinic = clinic(isInMemory)
    try fill(clinic)
    let doctor = Doctor()
    try clinic.write { transaction in
      let first = try #require(try transaction.object(ofType: Patient.self, forPrimaryKey: "p1"))
      for number in 2..<80 {
        first.friends.append(
          try #require(try transaction.object(ofType: Patient.self, forPrimaryKey: "p\(number)"))
        )
      }
      doctor.name = "Who"
      first.doctor = doctor
      let ward = Ward()
      ward.name = "North"
      ward.patients.insert(first)
      ward.byName["one"] = first
      try transaction.add(ward)
      let visit = Visit(1, 2, "text")
      visit.of = first
      try transaction.add(visit)
    }
    let store = clinic.store()
    let second = try #require(clinic.object(ofType: Patient.self, forPrimaryKey: "p2"))
    #expect(second.friendOf.map(\.number) == ["p1"])
    #expect(store.objects(Patient.self).where { $0.doctor == doctor }.map(\.number) == ["p1"])
    #expect(store.objects(Patient.self).where { $0.doctor.name == "Who" }.count == 1)
    let unsaved = Doctor()
    unsaved.id = doctor.id
    #expect(store.objects(Patient.self).where { $0.doctor == unsaved }.map(\.number) == ["p1"])
    #expect(store.objects(Patient.self).where { $0.friends.contains(Patient("p9", "")) }.count == 1)
    let asked = store.objects(Patient.self).filter("ANY friends == OBJECT('Patient', 'p9')")
    #expect(asked.map(\.number) == ["p1"])
    #expect(store.objects(Patient.self).filter("ANY friends.number == 'p9'").count == 1)
    #expect(store.objects(Ward.self).where { $0.patients.contains(Patient("p1", "")) }.count == 1)
    #expect(store.objects(Visit.self).where { $0.patient == 1 && $0.day == 2 }.first?.of?.number == "p1")
    #expect(clinic.object(ofType: Visit.self, forPrimaryKey: [1, 2])?.text == "text")
    let ward = try #require(store.objects(Ward.self).first)
    #expect(clinic.object(ofType: Ward.self, forPrimaryKey: ward.id)?.byName["one"]??.number == "p1")
    try clinic.write { try $0.delete(ofType: Patient.self, forPrimaryKeys: ["p2", "p3"]) }
    #expect(clinic.object(ofType: Patient.self, forPrimaryKey: "p1")?.friends.count == 76)
    #expect(clinic.object(ofType: Doctor.self, forPrimaryKey: doctor.id)?.patients.map(\.number) == ["p1"])
    #expect(try clinic.check().problems == [])
    clinic.close()
  }

  @Test("keys of numbers, of several parts, and of the greatest length", arguments: [false, true])
  func keys(isInMemory: Bool) throws {
    let clinic = clinic(isInMemory)
    try clinic.write { transaction in
      for patient in [0, 1, -1, 255, 256, .max, .min] {
        for day in 0..<3 { try transaction.add(Visit(patient, day, "\(patient) \(day)")) }
      }
    }
    for patient in [0, 1, -1, 255, 256, Int.max, .min] {
      #expect(clinic.object(ofType: Visit.self, forPrimaryKey: [patient, 1])?.text == "\(patient) 1")
    }
    let visits = clinic.store().objects(Visit.self)
    #expect(visits.where { $0.patient == -1 }.map(\.day) == [0, 1, 2])
    #expect(visits.where { $0.patient == 255 && $0.day >= 1 }.map(\.text) == ["255 1", "255 2"])
    #expect(try visits.where { $0.patient == 255 && $0.day >= 1 }.explain().access != .scan)
    #expect(Set(visits.map(\.patient)) == [0, 1, -1, 255, 256, .max, .min])
    let long = String(repeating: "x", count: 480)
    try clinic.saveAndWait(entity: Patient(long, "long"), update: false)
    #expect(clinic.object(ofType: Patient.self, forPrimaryKey: long)?.name == "long")
    let tooLong = #expect(throws: FiefError.self) {
      try clinic.saveAndWait(entity: Patient(String(repeating: "x", count: 511), "long"), update: false)
    }
    #expect(tooLong?.code == .primaryKeyTooLong && tooLong?.key?.hasPrefix("xxx") == true)
    #expect(try clinic.check().problems == [])
    clinic.close()
  }

  @Test("objects are changed, observed and read by name, and come out in clear", arguments: [false, true])
  func uses(isInMemory: Bool) throws {
    let clinic = clinic(isInMemory)
    try fill(clinic)
    try clinic.write { transaction in
      for patient in transaction.objects(Patient.self).where({ $0.name == "name 4" }) {
        patient.name = "changed"
        patient.age = 99
      }
    }
    let all = clinic.store().objects(Patient.self)
    #expect(all.where { $0.name == "changed" }.count == 20 && all.where { $0.age == 99 }.count == 20)
    #expect(all.where { $0.name == "name 4" }.count == 0)
    if isInMemory { return clinic.close() }
    clinic.close()
    let store = try DynamicStore(directory: scratch.path + "/clinic", encryption: .test(1))
    defer { store.close() }
    try store.read { snapshot in
      let found = try #require(try snapshot.object(ofType: "Patient", forKey: "p4"))
      #expect(try found.value(of: "number") as? String == "p4")
      #expect(try found.json().contains("\"number\":\"p4\""))
      let key = try snapshot.key(ofType: "Patient", text: "p4")
      #expect(try snapshot.text(of: key, ofType: "Patient") == "p4")
      #expect(!"\(key)".contains("p4"))
      #expect(try snapshot.object(ofType: "Patient", forKey: key) != nil)
    }
    #expect(store.types.first { $0.name == "Patient" }?.column(named: "name")?.isSecret == true)
    #expect(store.types.first { $0.name == "Patient" }?.column(named: "rank")?.isSecret == false)
  }

  @Test("a key of another type, and bytes that are no key, are errors and lead to nothing")
  func foreignKeys() throws {
    let clinic = clinic(false)
    try fill(clinic)
    let doctor = Doctor()
    try clinic.saveAndWait(entity: doctor, update: false)
    clinic.close()
    let store = try DynamicStore(directory: scratch.path + "/clinic", encryption: .test(1))
    defer { store.close() }
    try store.read { snapshot in
      let key = try snapshot.key(ofType: "Doctor", from: doctor.id)
      #expect(code { _ = try snapshot.text(of: key, ofType: "Patient") } == .damagedRecord)
      #expect(code { _ = try snapshot.object(ofType: "Patient", forKey: key) } == .invalidValue)
      #expect(code { _ = try snapshot.object(ofType: "Visit", forKey: key) } == .invalidValue)
      for text in ["AQ==", "AQIDBAUA", "AAA=", "FQE="] {
        let found = try snapshot.query(
          "Patient",
          "ANY friends == OBJECT('Patient', DATA(base64 '\(text)'))"
        ).count()
        #expect(found == 0)
      }
    }
  }
}
