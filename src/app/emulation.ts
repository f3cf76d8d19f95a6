import type { Config } from '../config.ts'

/** Whether the phone provider is played on this machine: then nobody from outside has to reach us, and calls can be asked for. */
export function isEmulated({ telcoBaseUrl }: Pick<Config, 'telcoBaseUrl'>): boolean {
  return isPlayed(telcoBaseUrl)
}

/** Whether both providers are: then no one outside of this machine calls the public address. */
export function areBothEmulated({ telcoBaseUrl, voiceaiBaseUrl }: Pick<Config, 'telcoBaseUrl' | 'voiceaiBaseUrl'>) {
  return isPlayed(telcoBaseUrl) && isPlayed(voiceaiBaseUrl)
}

/** The providers are asked over https and nothing else. */
function isPlayed(baseUrl: string | undefined): boolean {
  return baseUrl?.startsWith('http://') === true
}
