import { connectEmulators } from './connect.ts'
import type { FaultOptions } from './faults.ts'
import { type Problem, Problems } from './problems.ts'
import type { ServiceAddress } from './service-link.ts'
import type { AccountSnapshot } from './telco/account.ts'
import { startTelcoEmulator, type TelcoEmulator, type TelcoEmulatorOptions } from './telco/start.ts'
import { VirtualClock } from './virtual-clock.ts'
import { startVoiceaiEmulator, type VoiceaiEmulator, type VoiceaiEmulatorOptions } from './voiceai/start.ts'
import type { WorkspaceSnapshot } from './voiceai/workspace.ts'

/** Options of one emulator alone, without what both share. */
type OwnOptions<Options> = Omit<Options, 'clock' | 'problems' | 'onProblem' | 'service' | 'faults' | 'restore'>

/** What both providers hold for the service, as plain JSON: a later run can go on with it. */
export interface EmulatorsSnapshot {
  readonly telco: AccountSnapshot
  readonly voiceai: WorkspaceSnapshot
}

export interface EmulatorsOptions {
  readonly restore?: EmulatorsSnapshot | undefined
  readonly telco?: OwnOptions<TelcoEmulatorOptions>
  readonly voiceai?: OwnOptions<VoiceaiEmulatorOptions>
  readonly service?: ServiceAddress
  readonly faults?: FaultOptions
  /** How many real milliseconds a second on the phone takes; 0, the default, does not wait at all. */
  readonly paceMs?: number
  /** Where the time of both begins; now, unless told. */
  readonly startMs?: number
  readonly onProblem?: (problem: Problem) => void
}

/** Both providers, in one time, with calls going from one to the other. */
export interface Emulators {
  readonly telco: TelcoEmulator
  readonly voiceai: VoiceaiEmulator
  readonly clock: VirtualClock
  readonly problems: Problems
  connectService(address: ServiceAddress): void
  snapshot(): EmulatorsSnapshot
  stop(): Promise<void>
}

/** Starts the emulators of both providers. */
export async function startEmulators(options: EmulatorsOptions = {}): Promise<Emulators> {
  const { paceMs, startMs } = options
  const clock = new VirtualClock({
    ...(paceMs === undefined ? {} : { paceMs }),
    ...(startMs === undefined ? {} : { startMs }),
  })
  const problems = new Problems(options.onProblem)
  const { service, faults } = options
  const shared = {
    clock,
    problems,
    ...(service === undefined ? {} : { service }),
    ...(faults === undefined ? {} : { faults }),
  }
  const { restore } = options
  const telco = await startTelcoEmulator({
    ...options.telco,
    ...shared,
    ...(restore === undefined ? {} : { restore: restore.telco }),
  })
  const voiceai = await startVoiceaiEmulator({
    ...options.voiceai,
    ...shared,
    ...(restore === undefined ? {} : { restore: restore.voiceai }),
  }).catch(async (error: unknown) => {
    await telco.stop()
    throw error
  })
  connectEmulators(telco, voiceai)
  return {
    telco,
    voiceai,
    clock,
    problems,
    connectService(address) {
      telco.connectService(address)
      voiceai.connectService(address)
    },
    snapshot: () => ({ telco: telco.account.snapshot(), voiceai: voiceai.workspace.snapshot() }),
    async stop() {
      await telco.stop()
      await voiceai.stop()
    },
  }
}
