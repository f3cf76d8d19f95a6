import type { Offered } from '../model/values.ts'

/** Whom a picker of colleagues offers: everybody who works here, those who work on tickets, or those who work with Connect. */
export const COLLEAGUES: readonly Offered[] = [['is_colleague', '=', true]]
export const HELPDESK_COLLEAGUES: readonly Offered[] = [['is_in_helpdesk', '=', true]]
export const CONNECT_COLLEAGUES: readonly Offered[] = [['is_in_connect', '=', true]]
