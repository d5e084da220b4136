#if os(Linux)
  import Foundation
  import TestEffort
  import Testing

  /// Programs that link the library as a static archive, from which a linker takes the files that something
  /// leads to.
  @Suite("Programs with a static archive")
  struct StaticArchiveTests {
    /// Building the optimized objects takes minutes.
    static let tested = TestEffort.first(1, of: LibraryObjects.allCases)

    /// The compiler takes seconds, so that one program answers all questions.
    private static let program: Result<BuiltProgram, any Error> = Result {
      // What is static is not released.
      atexit { try? StaticArchiveTests.program.get().remove() }
      return try BuiltProgram(ProgramText.dogs)
    }

    private static let optimized: Result<BuiltProgram, any Error> = Result {
      atexit { try? StaticArchiveTests.optimized.get().remove() }
      return try BuiltProgram(ProgramText.dogs, library: .optimized)
    }

    private static func program(_ library: LibraryObjects) throws -> BuiltProgram {
      try (library == .ofTests ? program : optimized).get()
    }

    @Test(arguments: tested) func predicatesAreAnswered(_ library: LibraryObjects) throws {
      let output = try Self.program(library).run("predicates")
      #expect(output.lines == ["found 1", "longest 1", "optional true", "encodable true", "sequence true"])
      #expect(output.status == 0)
    }

    /// A conformance that is searched while the program runs is there only if its file is.
    @Test(arguments: tested)
    func noFileWithFoundConformancesIsLeftOut(_ library: LibraryObjects) throws {
      let linked = try Self.program(library).linkedObjects
      #expect(linked.count > 100)
      // The conformances of this file are unavailable: they are messages of the compiler, and no program
      // searches them.
      let leftOut = try BuiltProgram.objects(of: "FiefCore", library).filter {
        !linked.contains(BuiltProgram.name(of: $0)) && !$0.hasSuffix("Unpersistable.swift.o")
      }
      let missing = try ForeignConformances.find(in: leftOut)
      #expect(missing == [], "add one conformance of each file to ConformanceReferences")
    }

    @Test func classesOfAnUnknownVersionOfSwiftAreNamedOrAnError() throws {
      let program = try Self.program.get()
      let found = try program.run("unknown-version", "all")
      #expect(found.lines.first?.contains("invalidSchema") == true && found.status == 0)
      #expect(found.lines.contains { $0.contains("sections of version 99") })
      #expect(found.lines.contains { $0.contains("objectTypes") })
      #expect(try program.run("unknown-version", "named").lines == ["opened"])
    }

    @Test func withoutReflectionMetadataOpeningFails() throws {
      // A smaller program, which the compiler builds in a part of the time.
      let output = try BuiltProgram(ProgramText.dog, flags: ["-disable-reflection-metadata"]).run()
      #expect(output.lines.first?.hasPrefix("error invalidSchema") == true)
      #expect(output.lines.contains { $0.contains("Dog") && $0.contains("-disable-reflection-metadata") })
      #expect(!output.lines.contains("opened"))
    }
  }
#endif
