import Fief
import FiefConsole
import Foundation
import Testing

/// Imports of what MongoDB's tools and Realm's own `Codable` write.
@Suite("Extended JSON and objects inside of links") struct ExtendedJSONTests {
  /// Calls a closure with an empty store of every type, which must be whole afterwards.
  private func with(_ body: (_ path: String, _ repository: EveryType.Repository) throws -> Void) throws {
    try ToolStores.withDirectory { directory in
      let repository = EveryType.Repository(directory: directory, name: "every")
      #expect(try repository.check().problems == [])
      try body(directory + "/every", repository)
      #expect(try repository.check().problems == [])
      repository.close()
    }
  }

  @Test("Every form of a value is read into a property of its type")
  func forms() throws {
    try with { path, repository in
      let line = """
        {"id":{"$numberInt":"7"},"int8":{"$numberInt":"-8"},"int":{"$numberLong":"9007199254740993"},\
        "float":{"$numberDouble":"1.5"},"double":{"$numberDouble":"-Infinity"},"decimal":{"$numberDecimal":"12.50"},\
        "data":{"$binary":{"base64":"AQID","subType":"00"}},"maybeData":{"$binary":"AP8=","$type":"00"},\
        "uuid":{"$binary":{"base64":"8e8AAAAAQACAAAAAAAAACw==","subType":"04"}},\
        "maybeUUID":{"$uuid":"f1ef0000-0000-4000-8000-00000000000b"},\
        "objectId":{"$oid":"507f1f77bcf86cd799439011"},"date":{"$date":"2024-02-29T12:30:00.125Z"},\
        "maybeDate":{"$date":{"$numberLong":"1709209800125"}},\
        "ints":[{"$numberLong":"1"},2],"dates":[{"$date":1000}],"doubles":{"a":{"$numberDouble":"0.1"}},\
        "any":{"$numberDecimal":"1"},\
        "values":[{"$oid":"507f1f77bcf86cd799439011"},{"$numberLong":"5"},{"$numberDouble":"5"},{"$date":"2024-02-29T12:30:00Z"},\
        {"$binary":{"base64":"AQID","subType":"00"}},{"$binary":{"base64":"8e8AAAAAQACAAAAAAAAACw==","subType":"04"}}]}
        """
      let run = ToolRun(["import", path, "Everything"], input: line)
      #expect(run.status == .done, "\(run.errors)")
      let object = try #require(
        try repository.fetchObject(ofType: EveryType.Everything.self, forPrimaryKey: 7)
      )
      let uuid = try #require(UUID(uuidString: "F1EF0000-0000-4000-8000-00000000000B"))
      let id = try #require(ObjectId("507f1f77bcf86cd799439011"))
      #expect(object.int8 == -8)
      #expect(object.int == 9_007_199_254_740_993)
      #expect(object.float == 1.5)
      #expect(object.double == -.infinity)
      #expect(object.decimal == 12.5)
      #expect(object.data == Data([1, 2, 3]))
      #expect(object.maybeData == Data([0, 255]))
      #expect(object.uuid == uuid)
      #expect(object.maybeUUID == uuid)
      #expect(object.objectId == id)
      #expect(object.date == Date(timeIntervalSince1970: 1_709_209_800.125))
      #expect(object.maybeDate == object.date)
      #expect(Array(object.ints) == [1, 2])
      #expect(Array(object.dates) == [Date(timeIntervalSince1970: 1)])
      #expect(object.doubles["a"] == 0.1)
      #expect(object.any == .decimal128(1))
      #expect(
        Array(object.values) == [
          .objectId(id), .int(5), .double(5), .date(Date(timeIntervalSince1970: 1_709_209_800)),
          .data(Data([1, 2, 3])),
          .uuid(uuid),
        ]
      )
    }
  }

  @Test(
    "A form of another kind of value is a wrong line",
    arguments: [
      #"{"id":1,"int":{"$oid":"507f1f77bcf86cd799439011"}}"#, #"{"id":1,"int":{"$numberLong":5}}"#,
      #"{"id":1,"int8":{"$numberInt":"200"}}"#, #"{"id":1,"int":{"$numberDouble":"1.5"}}"#,
      #"{"id":1,"objectId":{"$oid":"507f"}}"#, #"{"id":1,"date":{"$date":"yesterday"}}"#,
      #"{"id":1,"data":{"$binary":{"subType":"00"}}}"#, #"{"id":1,"decimal":{"$numberDecimal":"Infinity"}}"#,
      #"{"id":1,"string":{"$regex":"a"}}"#, #"{"id":{"$oid":"507f1f77bcf86cd799439011"}}"#,
    ]
  )
  func wrongForms(line: String) throws {
    try with { path, repository in
      let run = ToolRun(["import", path, "Everything"], input: line)
      #expect(run.status == .failed)
      #expect(run.errors.hasPrefix("line 1: "))
      let objects = try repository.objects(EveryType.Everything.self)
      #expect(objects.isEmpty)
    }
  }

  @Test("A number in the place of a date counts what --dates says, and is refused without it")
  func dates() throws {
    let line = #"{"id":1,"date":730900800.5,"any":{"$date":"2024-02-29T12:30:00Z"}}"#
    try with { path, repository in
      let objects = try repository.objects(EveryType.Everything.self)
      for options in [[], ["--dates", "iso8601"]] {
        let run = ToolRun(["import", path, "Everything"] + options, input: line)
        #expect(run.status == .failed)
        #expect(run.errors.contains("The meaning of a number as a date is ambiguous. (found: 730900800.5; "))
        #expect(objects.first?.date == nil)
      }
      let text = ToolRun(["import", path, "Everything"], input: #"{"id":1,"date":"today"}"#)
      #expect(text.errors.contains("(expected: a date (ISO 8601 with an offset from UTC); "))
      let double = ToolRun(["import", path, "Everything"], input: #"{"id":1,"int":1,"id":2}"#)
      #expect(double.errors.contains("An object has two members of one name."))
      #expect(objects.isEmpty)
      let options = ["import", path, "Everything", "--on-conflict", "replace", "--dates"]
      #expect(ToolRun(options + ["since-2001"], input: line).status == .done)
      #expect(objects.first?.date == Date(timeIntervalSinceReferenceDate: 730_900_800.5))
      #expect(ToolRun(options + ["since-1970"], input: line).status == .done)
      #expect(objects.first?.date == Date(timeIntervalSince1970: 730_900_800.5))
      #expect(
        ToolRun(options + ["iso8601"], input: #"{"id":1,"date":"2024-02-29T12:30:00Z"}"#).status == .done
      )
      #expect(objects.first?.date == Date(timeIntervalSince1970: 1_709_209_800))
      #expect(ToolRun(options + ["since-1066"], input: line).status == .usage)
      let csv = "id,date\n1,730900800.5\n"
      #expect(ToolRun(options + ["since-2001", "--format", "csv"], input: csv).status == .done)
      #expect(objects.first?.date == Date(timeIntervalSinceReferenceDate: 730_900_800.5))
    }
  }

  @Test("Objects inside of links are inserted once, after the lines, which come first")
  func inlineObjects() throws {
    let lines = #"""
      {"$type":"Everything","id":1,"other":{"id":2,"string":"two","other":{"id":3,"string":"three"}}}
      {"$type":"Everything","id":4,"others":[{"id":2,"string":"twice"},{"id":3},5,{"id":4}]}
      {"$type":"Everything","id":5,"compound":{"name":"a","id":{"$uuid":"F1EF0000-0000-4000-8000-00000000000B"},"year":3,"note":"in"}}
      {"$type":"Everything","id":3,"string":"line"}
      {"$type":"Everything","id":6,"part":{"name":"part","link":{"name":"b","id":"F1EF0000-0000-4000-8000-00000000000B","year":4}}}
      """#
    for isDry in [true, false] {
      try with { path, repository in
        let run = ToolRun(["import", path] + (isDry ? ["--dry-run"] : []), input: lines)
        #expect(run.status == .done, "\(run.errors)")
        #expect(
          run.output.contains("import 8 objects (8 inserted)")
            || run.output.contains("Imported 8 objects (8 inserted)")
        )
        #expect(try repository.objects(EveryType.Everything.self).count == (isDry ? 0 : 6))
        if isDry { return }
        let all = try Array(repository.objects(EveryType.Everything.self).sorted(byKeyPath: "id"))
        #expect(all.map(\.string) == ["", "two", "line", "", "", ""])
        #expect(all[0].other?.id == 2)
        #expect(all[1].other?.id == 3)
        #expect(all[3].others.map(\.id) == [2, 3, 5, 4])
        #expect(all[4].compound?.note == "in")
        #expect(all[5].part?.link?.year == 4)
      }
    }
  }

  @Test(
    "An object inside of a link that is wrong is reported with its line, and nothing of the line's links is written"
  )
  func wrongInlineObjects() throws {
    let lines = #"""
      {"$type":"Everything","id":1,"others":[{"id":2},{"id":3,"int8":1000}]}
      {"$type":"Everything","id":4,"numbered":{"name":"no key"}}
      {"$type":"Everything","id":5,"other":{"string":"no key"}}
      {"$type":"Everything","id":6,"other":{"id":7,"colour":"red"}}
      """#
    try with { path, repository in
      let run = ToolRun(["import", path], input: lines)
      #expect(run.status == .failed)
      #expect(run.output == "Imported 2 objects (2 inserted); 4 wrong lines were left out.\n")
      #expect(
        run.errors.contains("line 1: ") && run.errors.contains("; the links of this line were left out\n")
      )
      #expect(run.errors.contains("line 4: ") && run.errors.contains("has no such property"))
      #expect(run.errors.contains("line 2: ") && run.errors.contains("no primary key to identify it"))
      #expect(run.errors.contains("line 3: ") && run.errors.contains("has no primary key"))
      let all = try Array(repository.objects(EveryType.Everything.self).sorted(byKeyPath: "id"))
      #expect(all.map(\.id) == [1, 6])
      #expect(all[0].others.isEmpty)
    }
  }

  @Test("Links of large lines wait, and all of them are made")
  func largeLines() throws {
    try ToolStores.withDirectory { directory in
      let repository = EveryType.Repository(directory: directory, name: "every")
      #expect(try repository.check().problems == [])
      // More than an import holds in memory at once.
      let data = String(repeating: "AAAA", count: 750_000)
      var lines = (1...4).map { #"{"$type":"Everything","id":\#($0),"other":\#($0 + 10),"data":"\#(data)"}"# }
      lines += (11...14).map { #"{"$type":"Everything","id":\#($0)}"# }
      let file = directory + "/large.jsonl"
      try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: file))
      let run = ToolRun("import", directory + "/every", "-i", file)
      #expect(run.output == "Imported 8 objects (8 inserted).\n", "\(run.errors)")
      for id in 1...4 {
        let object = try repository.fetchObject(ofType: EveryType.Everything.self, forPrimaryKey: id)
        #expect(object?.other?.id == id + 10)
        #expect(object?.data.count == 2_250_000)
      }
      #expect(try repository.check().problems == [])
      repository.close()
    }
  }

  @Test("put inserts an object with those inside of its links, or none of them")
  func put() throws {
    try with { path, repository in
      let objects = try repository.objects(EveryType.Everything.self)
      let wrong = #"{"id":1,"others":[{"id":2},9]}"#
      #expect(ToolRun("put", path, "Everything", wrong, "--write").status == .notFound)
      #expect(objects.count == 0)
      #expect(
        ToolRun("put", path, "Everything", #"{"id":1,"others":[{"id":2},1]}"#, "--write").status == .done
      )
      #expect(objects.count == 2)
    }
  }
}
