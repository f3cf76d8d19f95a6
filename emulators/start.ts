import { connectEmulators } from './connect.ts'
import type { FaultOptions } from './faults.ts'
import { type Problem, Problems } from './problems.ts'
import type { ServiceAddress } from './service-link.ts'
import { startTelcoEmulator, type TelcoEmulator, type TelcoEmulatorOptions } from './telco/start.ts'
import { VirtualClock } from './virtual-clock.ts'
import { startVoiceaiEmulator, type VoiceaiEmulator, type VoiceaiEmulatorOptions } from './voiceai/start.ts'

/** Options of one emulator alone, without what both share. */
type OwnOptions<Options> = Omit<Options, 'clock' | 'problems' | 'onProblem' | 'service' | 'faults'>

export interface EmulatorsOptions {
  readonly telco?: OwnOptions<TelcoEmulatorOptions>
  readonly voiceai?: OwnOptions<VoiceaiEmulatorOptions>
  readonly service?: ServiceAddress
  readonly faults?: FaultOptions
  /** How many real milliseconds a second on the phone takes; 0, the default, does not wait at all. */
  readonly paceMs?: number
  readonly onProblem?: (problem: Problem) => void
}

/** Both providers, in one time, with calls going from one to the other. */
export interface Emulators {
  readonly telco: TelcoEmulator
  readonly voiceai: VoiceaiEmulator
  readonly clock: VirtualClock
  readonly problems: Problems
  connectService(address: ServiceAddress): void
  stop(): Promise<void>
}

/** Starts the stand-ins of both providers. */
export async function startEmulators(options: EmulatorsOptions = {}): Promise<Emulators> {
  const clock = new VirtualClock(options.paceMs === undefined ? {} : { paceMs: options.paceMs })
  const problems = new Problems(options.onProblem)
  const { service, faults } = options
  const shared = {
    clock,
    problems,
    ...(service === undefined ? {} : { service }),
    ...(faults === undefined ? {} : { faults }),
  }
  const telco = await startTelcoEmulator({ ...options.telco, ...shared })
  const voiceai = await startVoiceaiEmulator({ ...options.voiceai, ...shared })
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
    async stop() {
      await telco.stop()
      await voiceai.stop()
    },
  }
}
