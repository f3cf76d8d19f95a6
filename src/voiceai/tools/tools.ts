import type { Tool } from '../../deliveries/tools/tool.ts'
import { createPartnerTool } from './create-partner.ts'
import { type TransferPorts, transferTool } from './transfer-tool.ts'

/** The tools of the telephone itself, in the order in which they are installed. */
export const CALL_TOOLS: readonly Tool<TransferPorts>[] = [transferTool, createPartnerTool]
