// Wolves and Sheep: a legal move, eating where it can. Start your own agent from here.
// javac Agent.java, then java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp DIRECTORY Agent
import java.lang.management.ManagementFactory;
import java.nio.file.*;
import java.util.*;

public class Agent {
    static String[] rows = new String[5]; // the square x,y is rows[y].charAt(x)

    static char at(int x, int y) {
        return x < 0 || y < 0 || x > 4 || y > 4 ? '#' : rows[y].charAt(x);
    }

    static boolean late(double seconds) { // a small part of the clock is used: stop early
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() > seconds / 50 * 1e9;
    }

    public static void main(String[] arguments) throws Exception {
        List<String> lines = Files.readAllLines(Path.of("input.txt"));
        String side = lines.get(1).trim();
        double seconds = Double.parseDouble(lines.get(2).trim()); // for this move (SINGLE) or for the whole game (GAME)
        for (int y = 0; y < 5; y++) {
            rows[y] = lines.get(3 + y).trim().replace('2', 'W').replace('1', 'S').replace('0', '.');
        }
        int[][] ways = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
        List<String> legal = new ArrayList<>();
        for (int y = 0; y < 5; y++) {
            for (int x = 0; x < 5; x++) {
                for (int[] way : ways) {
                    int dx = way[0], dy = way[1];
                    if (at(x, y) != side.charAt(0) || at(x + dx, y + dy) != '.') continue;
                    legal.add("E " + x + "," + y + " " + (x + dx) + "," + (y + dy));
                    // A wolf eats a sheep two squares away, over an empty square.
                    if (side.equals("WOLVES") && at(x + 2 * dx, y + 2 * dy) == 'S') {
                        legal.add("J " + x + "," + y + " " + (x + 2 * dx) + "," + (y + 2 * dy));
                    }
                }
            }
        }
        Collections.shuffle(legal);
        String best = legal.get(0);
        for (String move : legal) {
            if (move.startsWith("J")) best = move;
            if (late(seconds)) break;
        }
        Files.write(Path.of("output.txt"), (best + "\n").getBytes());
    }
}
