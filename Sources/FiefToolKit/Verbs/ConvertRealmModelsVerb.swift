import Fief
import FiefConsole
import Foundation

/// Converts declarations of Realm models to declarations with `@Persisted`.
enum ConvertRealmModelsVerb: ToolVerb {
  static let declaration = CommandDeclaration(
    "convert-realm-models",
    "Rewrites '@objc dynamic' models of Realm Swift to '@Persisted' properties",
    discussion: [
      "Prints the changes like 'diff -u'; --write changes the files. Each file is replaced as a whole or stays unchanged. "
        + "A second run changes nothing more.",
      "It rewrites '@objc dynamic var', List, MutableSet, Map, RealmOptional, RealmProperty and LinkingObjects, moves primaryKey(), "
        + "indexedProperties() and ignoredProperties() into the declarations, removes @objcMembers, and imports FiefRealm.",
      "Code that it cannot convert is listed on standard error, as FILE:LINE: and a sentence. Comments, access levels and all code that it "
        + "does not know stay unchanged. Name the files of superclasses and extensions in the same call.",
    ],
    positionals: [PositionalDeclaration("FILE", "a Swift file", count: .atLeastOne, completion: .files)],
    options: [OptionDeclaration("write", "Changes the files.")],
    examples: [
      .init("fief convert-realm-models Models/*.swift", "Shows the changes."),
      .init("fief convert-realm-models Models/*.swift --write", "Changes the files."),
    ]
  )

  static func run(_ context: ToolContext) throws -> ExitStatus {
    var paths: Set<String> = []
    let files = try context.invocation.words.map { try SourceFile($0) }.filter {
      paths.insert($0.path).inserted
    }
    var unread: [FileReport] = []
    var readable: [(file: SourceFile, source: SwiftSource)] = []
    for file in files {
      do { readable.append((file, try SwiftSource(path: file.name, bytes: file.bytes))) } catch let error
        as SwiftSyntaxError
      {
        let line = file.bytes[..<error.offset].count { $0 == 0x0A } + 1
        let note = ConversionNote(line: line, text: "the file was not converted: \(error.message)")
        unread.append(FileReport(name: file.name, notes: [note]))
      }
    }
    let conversions = ModelConverter.convert(readable.map(\.source))
    let isWriting = context.invocation.has("write")
    var reports: [FileReport] = []
    for ((file, source), conversion) in zip(readable, conversions) {
      let isChanged = !conversion.edits.isEmpty
      if isWriting, isChanged { try replace(file, conversion, after: reports) }
      reports.append(
        FileReport(
          name: file.name,
          notes: conversion.notes,
          properties: conversion.properties,
          isChanged: isChanged,
          diff: isWriting || !isChanged ? nil : UnifiedDiff.text(of: source, conversion.edits)
        )
      )
    }
    reports += unread
    if context.isJSON {
      context.print(document(of: reports, isWriting))
    } else {
      show(reports, isWriting, context)
    }
    return unread.isEmpty && !conversions.contains(where: \.isLeft) ? .done : .failed
  }

  private struct FileReport {
    var name: String
    var notes: [ConversionNote]
    var properties = 0
    var isChanged = false
    var diff: String?
  }

  private static func replace(_ file: SourceFile, _ conversion: FileConversion, after done: [FileReport])
    throws
  {
    do { try file.replace(with: conversion.result) } catch {
      var failure = ToolFailure(error, store: nil)
      let changed = done.filter(\.isChanged).count
      if changed > 0 {
        failure.consequence =
          "\(changed) \(changed == 1 ? "file was" : "files were") changed before; this file was not."
      }
      throw failure
    }
  }

  private static func show(_ reports: [FileReport], _ isWriting: Bool, _ context: ToolContext) {
    let errors = context.io.error
    for report in reports {
      if let diff = report.diff { context.output.write(diff) }
      for note in report.notes {
        errors.line(Format.printable("\(report.name):\(note.line): \(note.text)"))
      }
    }
    let properties = reports.reduce(0) { $0 + $1.properties }
    let files = reports.count { $0.isChanged }
    let notes = reports.reduce(0) { $0 + $1.notes.count }
    var sentence =
      files == 0
      ? "Nothing to convert"
      : (isWriting ? "Converted " : "Would convert ")
        + "\(Format.count(properties)) \(properties == 1 ? "property" : "properties") in "
        + "\(Format.count(files)) \(files == 1 ? "file" : "files")"
    if notes > 0 {
      sentence += "; \(Format.count(notes)) \(notes == 1 ? "place is" : "places are") left to you"
    }
    if !isWriting, files > 0 { sentence += ". Add --write to change the files" }
    // Without `--write` the output is a patch.
    (isWriting ? context.output : errors).line(sentence + ".")
  }

  private static func document(of reports: [FileReport], _ isWriting: Bool) -> JSONValue {
    [
      "isWritten": .bool(isWriting),
      "files": .array(
        reports.map { report in
          [
            "file": .string(report.name),
            "isChanged": .bool(report.isChanged),
            "properties": .count(report.properties),
            "diff": .text(report.diff),
            "left": .array(report.notes.map { ["line": .count($0.line), "message": .string($0.text)] }),
          ]
        }
      ),
    ]
  }
}
