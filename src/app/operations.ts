import type { Config } from '../config.ts'
import type { ComparisonParts } from '../deliveries/replay/compare.ts'
import { replayOperations } from '../deliveries/replay/operations.ts'
import type { ReplayParts } from '../deliveries/replay/replay.ts'
import { jobOperations } from '../jobs/job-model.ts'
import type { JobQueue } from '../jobs/queue.ts'
import type { Operations } from '../platform/model/model.ts'
import type { TelcoClient } from '../ports/telco-client.ts'
import { telcoOperations } from '../telco/described-routes.ts'
import { phoneDirectory } from '../telco/routing/phone-directory.ts'
import { telcoSyncOperations } from '../telco/sync/buttons.ts'
import type { PlatformAgents } from '../voiceai/agents/platform-agents.ts'
import type { VoiceaiClient } from '../voiceai/client/sdk-client.ts'
import { tryToolOperations } from '../voiceai/tools/try-tool.ts'
import { trialOperations } from '../voiceai/trials/start-trial.ts'
import { type Backups, backupOperations } from './backup/backups.ts'
import { type CheckRuns, checkOperations } from './checks/check-runs.ts'
import { setUpOperations } from './set-up/set-up-operations.ts'

/** What methods of models need beside the database; made after the models, so it is asked for when one is called. */
interface OperationParts {
  client: TelcoClient
  telcoSync: Parameters<typeof telcoSyncOperations>[0]
  backups: () => Backups
  checks: () => CheckRuns
  replays: () => ComparisonParts & ReplayParts
  config: Pick<Config, 'telcoBaseUrl' | 'voiceaiBaseUrl'>
  jobs: () => Pick<JobQueue, 'wake'>
  voiceai: VoiceaiClient
  agents: () => PlatformAgents
  tried: Parameters<typeof tryToolOperations>[0]
}

/** Every method that needs more than the database. */
export function serviceOperations({
  client,
  telcoSync,
  backups,
  checks,
  replays,
  config,
  jobs,
  voiceai,
  agents,
  tried,
}: OperationParts): Operations[] {
  return [
    telcoOperations({ client, directory: phoneDirectory }),
    telcoSyncOperations(telcoSync),
    backupOperations(backups),
    checkOperations(checks),
    replayOperations(replays),
    setUpOperations(config),
    trialOperations({ client: voiceai, agents, directory: phoneDirectory, baseUrl: config.voiceaiBaseUrl }),
    tryToolOperations(tried),
    jobOperations((kind) => jobs().wake(kind)),
  ]
}
