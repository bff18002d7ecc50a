/** The processor time that this process has taken since `process.cpuUsage()`, in milliseconds. Waiting takes none. */
export function processorMsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
