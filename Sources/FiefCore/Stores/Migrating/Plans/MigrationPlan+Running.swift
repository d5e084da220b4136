extension MigrationPlan {
  /// Steps that work on the same schema.
  struct Stage {
    /// The step whose classes they have; nil for those of the repository.
    var classes: (any MigrationStep.Type)?
    var steps: [any MigrationStep.Type] = []
  }

  /// The stages of the steps that a store of a version lacks. The last one has the repository's classes.
  func stages(after version: UInt64) -> [Stage] {
    var stages: [Stage] = []
    var current = Stage()
    for step in steps(after: version) {
      current.steps.append(step)
      guard step.objectTypes != nil else { continue }
      current.classes = step
      stages.append(current)
      current = Stage()
    }
    stages.append(current)
    return stages
  }

  /// Checks the plan against the repository that has it.
  ///
  /// - Throws: ``FiefError`` of code `invalidMigrationPlan`.
  func check(leadsTo version: UInt64, store: String) throws(FiefError) {
    if var error {
      error.store = store
      throw error
    }
    guard self.version == version else {
      throw FiefError(
        .invalidMigrationPlan,
        "The last step of the migration plan does not lead to the repository's schema version.",
        store: store,
        details: [
          "the plan's version: \(self.version)",
          "the declared version: \(version)",
        ]
      )
    }
  }

  /// Checks whether a store of a version can be brought up to date.
  ///
  /// - Throws: ``FiefError`` of code `invalidMigrationPlan`.
  func check(canMigrateFrom version: UInt64, store: String) throws(FiefError) {
    guard version < oldestVersion else { return }
    throw FiefError(
      .invalidMigrationPlan,
      "The store is older than the first step of the migration plan.",
      store: store,
      details: [
        "the store's version: \(version)",
        "the oldest version that the plan can migrate: \(oldestVersion)",
      ]
    )
  }
}

extension Migration {
  /// Runs the steps of a plan that the store lacks.
  ///
  /// For blocks that do something besides; ``MigrationPlan/block`` does only this. Steps with classes of their
  /// own work on these, so that a plan that has such steps must run before anything else is asked of the
  /// migration.
  ///
  /// - Throws: what a step throws; ``FiefError`` of code `invalidMigrationPlan` where the plan cannot run.
  public func run(_ plan: MigrationPlan) throws {
    if let failure { throw failure }
    try decisive { try runSteps(of: plan) }
  }

  private func runSteps(of plan: MigrationPlan) throws {
    try plan.check(leadsTo: configuration.schemaVersion, store: configuration.name)
    try plan.check(canMigrateFrom: oldSchemaVersion, store: configuration.name)
    let stages = plan.stages(after: oldSchemaVersion)
    guard stage == nil || stages.count == 1 else {
      throw FiefError(
        .invalidMigrationPlan,
        "A plan that has steps with classes of their own must run before anything else is done.",
        store: configuration.name
      )
    }
    for next in stages {
      if stage == nil { try begin(try schema(of: next)) }
      for step in next.steps {
        progress.step = step.name
        defer { progress.step = nil }
        try run(step)
      }
      // The effects of a stage's steps are checked when it ends.
      unfinishedSteps = next.steps
      if next.classes != nil { try finishSteps() }
    }
  }

  private func run(_ step: any MigrationStep.Type) throws {
    do {
      try step.migrate(self)
    } catch {
      if let failure { throw named(failure, after: [step]) }
      if error is FiefError { throw named(error, after: [step]) }
      throw FiefError(
        .migrationFailed,
        "A step of the migration plan threw.",
        store: configuration.name,
        details: ["step \(step.version): \(step.name)"],
        underlying: error
      )
    }
    if let failure { throw named(failure, after: [step]) }
  }

  /// The error of a step with the step's version and name in its details; it becomes the migration's failure.
  ///
  /// Adds the names of the steps to an error; the restart of a migration, and LMDB's errors, stay as they are.
  private func named(_ error: any Error, after steps: [any MigrationStep.Type]) -> any Error {
    guard var error = error as? FiefError, !steps.isEmpty else { return error }
    error.lines.insert(contentsOf: steps.map { "step \($0.version): \($0.name)" }, at: 0)
    failure = error
    return error
  }

  /// Ends a stage; an error names the steps that worked in it.
  func finishSteps() throws {
    let steps = unfinishedSteps
    unfinishedSteps = []
    do { try finishStage() } catch { throw named(error, after: steps) }
  }

  private func schema(of stage: MigrationPlan.Stage) throws -> DeclaredSchema {
    guard let step = stage.classes, let objects = step.objectTypes else { return configuration.schema }
    do throws(FiefError) {
      var embedded = step.embeddedObjectTypes
      if embedded == nil { embedded = try DefaultSchema.embeddedTypes(usedBy: objects, in: step) }
      return try DeclaredSchema(objects: objects, embedded: embedded ?? [], store: configuration.name)
    } catch {
      var error = error
      error.lines.insert("step \(step.version): \(step.name)", at: 0)
      throw error
    }
  }
}
