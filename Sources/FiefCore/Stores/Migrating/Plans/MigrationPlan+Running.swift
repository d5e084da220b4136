extension MigrationPlan {
  /// Consecutive steps that work with the same schema.
  struct Stage {
    /// The step that declares the classes of the stage, or `nil` for the repository's classes.
    var classes: (any MigrationStep.Type)?
    var steps: [any MigrationStep.Type] = []
  }

  /// Returns the stages of the steps that a store with a version still needs. The last stage has the
  /// repository's classes.
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

  /// Checks that the plan fits its repository.
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

  /// Checks that the plan can migrate a store of a version.
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
  /// Runs the steps of a plan that the store still needs.
  ///
  /// Use this method in a block that does additional work; ``MigrationPlan/block`` only runs the steps. Steps
  /// with their own classes work with those classes, so a plan with such steps must run before any other use
  /// of the migration.
  ///
  /// - Throws: an error of a step, or ``FiefError`` of code `invalidMigrationPlan` if the plan cannot run.
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
        "A plan whose steps have their own classes must run before anything else.",
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
      // The results of a stage's steps are checked when the stage ends.
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
        "A step of the migration plan threw an error.",
        store: configuration.name,
        details: ["step \(step.version): \(step.name)"],
        underlying: error
      )
    }
    if let failure { throw named(failure, after: [step]) }
  }

  /// Adds the versions and names of the steps to an error, which becomes the migration's failure.
  ///
  /// The restart of a migration and LMDB's errors are returned unchanged.
  private func named(_ error: any Error, after steps: [any MigrationStep.Type]) -> any Error {
    guard var error = error as? FiefError, !steps.isEmpty else { return error }
    error.lines.insert(contentsOf: steps.map { "step \($0.version): \($0.name)" }, at: 0)
    failure = error
    return error
  }

  /// Ends a stage. An error names the steps of the stage.
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
